"""Names: what a page can show, and nothing that pretends or breaks it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.names import NAME_CHARS_MAX, BadName, checked_name


@pytest.mark.parametrize("name", ["Ada", "Žofie O'Neil", "李 小龙", "x_1.2-3", "Jean\u2019s"])
def test_names_of_people_everywhere_are_kept(name: str) -> None:
    """Letters and numbers of any script, blanks, and a few marks."""
    assert checked_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", "   ", "<b>", "a\u202eb", "a\u200bb", "-a", "a\x00", "😀", "a@b", "x" * 33, "\u0301a"],
)
def test_what_could_mislead_is_refused(name: str) -> None:
    """Markup, invisible and direction marks, addresses, pictures, and names too long."""
    with pytest.raises(BadName, match=r"A name .*\."):
        checked_name(name)


@given(st.text(max_size=80))
def test_a_kept_name_stays_as_it_is(text: str) -> None:
    """Checking twice changes nothing; every kept name is short, composed and printable."""
    try:
        name = checked_name(text)
    except BadName:
        return
    assert checked_name(name) == name
    assert 1 <= len(name) <= NAME_CHARS_MAX
    assert name.isprintable()
    assert unicodedata.is_normalized("NFC", name)
