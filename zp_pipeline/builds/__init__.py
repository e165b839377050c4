"""The build of one commit: where its inputs are found, and each step as a recipe and a writer.

The steps themselves are in `wiki`, `documents`, `chunking`, `embedding` and `index`; Dagster is in
`orchestration`. This room joins the steps to the store and knows no Dagster.
"""
