"""Who may see a page, as columns. Front matter is parsed in `zp_pipeline.documents.rights`.

A page is `open` (to every authorised caller) or limited to `allowed_groups`; limited with no group
means nobody. Validity is a half-open interval of UTC microseconds, unbounded ends being the
extremes below, so that every filter is two plain comparisons and never meets a null.
"""

import re

import pyarrow as pa

ALWAYS_FROM_US = -(2**62)
ALWAYS_TO_US = 2**62

# LanceDB filters have no bind parameters (facts measured on 0.40), so only names of this shape,
# which need no quoting, ever become part of one.
GROUP_NAME = re.compile(r"[a-z0-9_.-]{1,64}")

RIGHTS_FIELDS = [
    pa.field("published", pa.bool_(), nullable=False),
    pa.field("open", pa.bool_(), nullable=False),
    pa.field("allowed_groups", pa.list_(pa.string()), nullable=False),
    pa.field("valid_from_us", pa.int64(), nullable=False),
    pa.field("valid_to_us", pa.int64(), nullable=False),
]
