"""The partitions of the pipeline's assets: one for each commit that is built."""

import dagster as dg

from zp_pipeline.shared.generation.store import GenerationStore

PARTITIONS_NAME = "generations"
KEY_LENGTH = 12  # characters of the commit id, as in the ids of generations

generations = dg.DynamicPartitionsDefinition(name=PARTITIONS_NAME)

UPTO_TAG = "zp/sync_upto"  # the newest request that a run answers
PARTITION_TAG = "dagster/partition"
RUN_KEY_TAG = "dagster/run_key"


def forget_partitions(instance: dg.DagsterInstance, store: GenerationStore) -> None:
    """Delete the keys of commits of which no generation is kept, builds that failed included."""
    kept = {manifest.commit[:KEY_LENGTH] for manifest in store.manifests()}
    for key in instance.get_dynamic_partitions(PARTITIONS_NAME):
        if key not in kept:
            instance.delete_dynamic_partition(PARTITIONS_NAME, key)
