"""What is written is true: examples run, links lead somewhere, tables are those of the code."""

import doctest
import importlib
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from ops.cli import plybook
from ops.dev.board_picture import board_picture
from ops.settings import SETTINGS
from services.levels import Levels
from tests.kit.tree import PACKAGES, ROOT, module_name, modules, name_of, tracked_files

PAGES = [path for path in tracked_files() if path.suffix == ".md" and "seeds" not in path.parts]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, *languages: str) -> Iterator[str]:
    """The fenced examples of a page in one of the languages."""
    for language, text in FENCE.findall(page.read_text(encoding="utf-8")):
        if language in languages:
            yield text


def calls(program: str) -> list[tuple[str, list[str]]]:
    """Every call of a program in the pages' shell examples, as (page, arguments)."""
    return [
        (name_of(page), shlex.split(line, comments=True)[1:])
        for page in PAGES
        for block in blocks(page, "sh")
        for line in block.replace("\\\n", " ").splitlines()
        if line.startswith(f"{program} ")
    ]


@pytest.mark.parametrize(
    "path",
    [path for path in modules(*PACKAGES, "tests") if ">>> " in path.read_text(encoding="utf-8")],
    ids=name_of,
)
def test_examples_in_docstrings_run(path: Path) -> None:
    """An example that has stopped being true is worse than none."""
    if path == Path(__file__):
        return
    results = doctest.testmod(importlib.import_module(module_name(path)))
    assert results.failed == 0
    assert results.attempted > 0


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_examples_in_pages_run(page: Path) -> None:
    """The Python shown in a page is played through, with the answers it promises."""
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for text in blocks(page, "python"):
        runner.run(parser.get_doctest(text, {}, name_of(page), name_of(page), 0))
    assert runner.failures == 0


def test_the_settings_table_is_that_of_the_code() -> None:
    """The README names each variable with its default and its meaning, in the code's order."""
    expected = [f"| `{s.name}` | {s.unset or f'`{s.default}`'} | {s.meaning} |" for s in SETTINGS]
    shown = [line for line in README.splitlines() if line.startswith("| `PLYBOOK_")]
    assert shown == expected


def test_every_shown_plybook_command_can_be_typed() -> None:
    """Each ``plybook …`` in the pages is a command with options and arguments it takes."""
    shown = calls("plybook")
    assert shown
    for page, words in shown:
        command = plybook.get_command(click.Context(plybook), words[0])
        assert command is not None, f"{page}: plybook {words[0]}"
        given = [word for word in words[1:] if word not in {"&", ">", "|"}]
        try:
            command.make_context(words[0], given, resilient_parsing=True)
        except click.ClickException as wrong:
            pytest.fail(f"{page}: plybook {shlex.join(words)}: {wrong.format_message()}")


def test_every_shown_make_target_exists() -> None:
    """Each ``make …`` in the pages is one of the Makefile's."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page, words in calls("make"):
        assert {word for word in words if "=" not in word} <= targets, f"{page}: make {words}"


def anchors(page: Path) -> set[str]:
    """The fragments a page's headings can be linked by."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.replace(" ", "-") for heading in plain}


def test_the_budgets_of_levels_are_told_as_they_are() -> None:
    """Levels are tuned again and again; who reads how our computers think reads today's numbers."""
    page = (ROOT / "docs" / "bot-author.md").read_text(encoding="utf-8")
    levels, told = Levels.load(), 0
    for title, text in re.findall(r"^- \*\*(\w+)\*\*:(.*(?:\n  .*)*)", page, re.MULTILINE):
        for budget, level in re.findall(r"([\d,]*\d) on level (\d)", text):
            spec = levels.spec(title.lower(), int(level))
            assert spec is not None
            assert (title, level, spec.budget) == (title, level, int(budget.replace(",", "")))
            told += 1
    assert told


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    """Each relative link names a file (and heading) of the repository."""
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        path, _, fragment = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), f"{name_of(page)} links to {target}"
        assert not fragment or fragment in anchors(linked), f"{name_of(page)} links to {target}"


def test_the_changelog_knows_this_version_and_the_next() -> None:
    """Each visible change gets its line under the version it comes with."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    titles = re.findall(r"^## (\S+)", changelog, re.MULTILINE)
    assert titles[:2] == ["Unreleased", version]


def test_every_dependency_has_its_reason() -> None:
    """The decision on dependencies names each one of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    reasons = (ROOT / "ops/decisions/0007-dependencies.md").read_text(encoding="utf-8")
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    for requirement in (text for group in groups for text in group):
        name = re.split(r"[\[<>=~!]", requirement)[0]
        assert re.search(rf"\b{re.escape(name)}\b", reasons), name


def test_every_decision_is_listed() -> None:
    """A decision that is not on the list will not be found."""
    listed = (ROOT / "ops/decisions/README.md").read_text(encoding="utf-8")
    decisions = [path.name for path in (ROOT / "ops/decisions").glob("0*.md")]
    assert [name for name in decisions if f"({name})" not in listed] == []


def test_the_picture_is_what_the_code_draws() -> None:
    """The README's board is a demo match, drawn as every board is."""
    shown = (ROOT / "docs/board.svg").read_text(encoding="utf-8")
    again = "draw it again: python -m ops.dev.board_picture > docs/board.svg"
    assert shown == f"{board_picture(ROOT)}\n", again
