"""`.env.example` names every setting, and shows the defaults that the classes have."""

import re
from pathlib import Path

import pytest

from zp_pipeline.settings import PipelineSettings
from zp_pipeline.shared.settings import KNOWN_ZP_NAMES
from zp_serving.settings import ServingSettings

EXAMPLE = (Path(__file__).parents[2] / ".env.example").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"^(?:# )?([A-Z][A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))
CLASSES = (PipelineSettings, ServingSettings)
DEFAULTS = {
    str(field.validation_alias): field.default
    for settings in CLASSES
    for field in settings.model_fields.values()
}


@pytest.mark.parametrize("name", sorted(DEFAULTS.keys() | KNOWN_ZP_NAMES))
def test_env_example_names_the_setting(name: str) -> None:
    assert name in SHOWN


def test_known_names_hold_every_zp_setting_and_all_that_is_shown() -> None:
    named = {name for name in DEFAULTS.keys() | SHOWN.keys() if name.startswith("ZP_")}
    assert named <= KNOWN_ZP_NAMES


def test_env_example_numbers_and_switches_are_the_defaults() -> None:
    plain = {name: value for name, value in DEFAULTS.items() if isinstance(value, int | float)}
    assert len(plain) >= 10
    assert {name: SHOWN[name] for name in plain} == {
        name: str(value).lower() for name, value in plain.items()
    }


def test_env_example_sets_no_key() -> None:
    keys = ("SEARCH_API_KEY", "SYNC_API_KEY", "WEBHOOK_SECRET", "OPENWEBUI_JWT_SECRET")
    assert [SHOWN[name] for name in keys] == [""] * len(keys)
