"""The request table: who asked for a build, what became of it, and who is at it now.

`models` holds what is in a row, `tables` how a database keeps it, `rows` how rows are read and
changed, `repository` the transitions, which is what everybody else calls.
Nothing here builds, talks to git or knows Dagster; the lock of builds is `shared.build_lock`.
"""
