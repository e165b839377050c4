"""The partitions of the pipeline's assets: one for each commit that is built."""

import dagster as dg

PARTITIONS_NAME = "generations"
KEY_LENGTH = 12  # characters of the commit id, as in the ids of generations

generations = dg.DynamicPartitionsDefinition(name=PARTITIONS_NAME)

UPTO_TAG = "zp/sync_upto"  # the newest request that a run answers
PARTITION_TAG = "dagster/partition"
RUN_KEY_TAG = "dagster/run_key"
