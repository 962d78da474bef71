"""The command line: one sentence for every refusal, and exit codes that scripts can trust."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from events.sqlite_store import SqliteStore
from ops.cli import COMMANDS, run
from ops.folder_lock import RunningServer, announced, locked
from ops.wiring import SEEDS
from tests.kit.machine import Machine
from tests.kit.tampering import change_data

RECORD = SEEDS / "blokus" / "matches" / "duo-engine-level-4.record"
MATCH = "m-l3cdgyz7g4misbru"

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Call:
    """Run a command in this process over a data folder of its own: code, stdout, stderr."""
    monkeypatch.setenv("PLYBOOK_DATA", str(tmp_path / "data"))

    def run_it(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return run_it


def data_of(tmp_path: Path) -> Path:
    """The data folder that ``call`` works in."""
    return tmp_path / "data"


def test_help_names_every_command_without_loading_any(tmp_path: Path) -> None:
    """The list is quick: no web framework, no queue, no database is imported for it."""
    machine = Machine(tmp_path / "data")
    said = machine.run("--help").stdout
    assert [name for name in COMMANDS if f"  {name}" not in said] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_is_there_and_explains_itself(call: Call, name: str) -> None:
    """A name in the table has a module, and the module a command with a text."""
    code, out, _ = call(name, "--help")
    assert code == 0
    assert out.startswith(f"Usage: plybook {name} ")


def test_a_wrong_setting_is_one_sentence_and_exit_code_two(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No traceback for what a person can put right."""
    monkeypatch.setenv("PLYBOOK_PORT", "ninety")
    code, out, err = call("heads")
    assert (code, out) == (2, "")
    assert err == "PLYBOOK_PORT is 'ninety': a whole number from 0 to 65535 is needed.\n"


@pytest.mark.parametrize("arguments", [("nope",), ("replay",), ("replay", "m-1", "--ply", "x")])
def test_wrong_usage_is_exit_code_two(call: Call, arguments: tuple[str, ...]) -> None:
    """An unknown command, a missing argument, a value that is none."""
    code, _, err = call(*arguments)
    assert code == 2
    assert "Error: " in err


@pytest.mark.parametrize(
    "arguments",
    [("replay", MATCH), ("export", MATCH), ("audit", "--all"), ("heads",), ("rebuild",)],
)
def test_where_nothing_was_written_nothing_is_made(
    call: Call, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """A reader in the wrong folder says so instead of making an empty log there."""
    code, _, err = call(*arguments)
    assert code == 1
    assert err == f"There is no log at {data_of(tmp_path)}/plybook.sqlite yet.\n"
    assert not data_of(tmp_path).exists()


def test_a_game_is_imported_shown_audited_and_exported(call: Call, tmp_path: Path) -> None:
    """The way of a record through every reading command; the export is the record again."""
    code, out, _ = call("import", RECORD)
    assert code == 0
    assert f"duo, 30 plies, blue=-11 green=-37, {MATCH}, imported" in out
    code, out, _ = call("import", RECORD)
    assert (code, "already here" in out) == (0, True)

    code, out, _ = call("replay", MATCH, "--ply", 10)
    assert code == 0
    assert out.startswith(f"{MATCH}: Blokus, ply 10\n")
    assert "To place: blue" in out
    assert call("replay", MATCH)[1].endswith("Ended by points: A -11, B -37; won by A.\n")

    assert call("audit", MATCH)[1] == f"{MATCH}: proved (32 events, 30 moves, 2 forced)\n"
    assert call("export", MATCH)[1] == RECORD.read_text()
    pentobi = tmp_path / "duo.blksgf"
    assert call("export", MATCH, "--format", "blksgf", "-o", pentobi)[0] == 0
    assert "GM[Blokus Duo]" in pentobi.read_text()
    code, _, err = call("export", MATCH, "-o", pentobi)
    assert (code, err) == (1, f"{pentobi} is not written: File exists.\n")
    picture = tmp_path / "board.svg"
    assert call("replay", MATCH, "--svg", picture)[0] == 0
    assert picture.read_text().startswith("<svg ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("replay", "m-nobody"), "There is no match m-nobody here."),
        (("audit", "m-nobody"), "There is no match m-nobody here."),
        (("replay", MATCH, "--ply", 99), f"{MATCH} has plies 0 to 30, not 99."),
        (("export", MATCH, "--format", "pgn"), "'pgn' is not one of: blksgf, plybook-blokus 1."),
        (("rebuild", "boats"), "There is no projection boats; there are: boards, work_due,"),
    ],
)
def test_a_refusal_is_one_sentence_and_exit_code_one(
    call: Call, arguments: tuple[str, ...], sentence: str
) -> None:
    """It names what was asked, and what there is."""
    call("import", RECORD)
    code, _, err = call(*arguments)
    assert code == 1
    assert err.startswith(sentence)
    assert err.count("\n") == 1


def test_a_refused_file_is_a_line_with_its_reason_and_exit_code_one(
    call: Call, tmp_path: Path
) -> None:
    """The good file beside it comes in all the same."""
    bad = tmp_path / "bad.record"
    bad.write_text(RECORD.read_text().replace("blue:e8", "blue:a1"))
    code, out, err = call("import", bad, tmp_path / "missing", RECORD)
    assert code == 1
    lines = out.splitlines()
    assert lines[0].startswith(f"{bad}: refused, ")
    assert lines[1] == f"{tmp_path}/missing: refused, cannot-read: No such file or directory."
    assert lines[2].endswith(", imported")
    assert err == "2 of 3 games were not taken.\n"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("data = CAST(replace(data, 'e8,d9', 'e8,d8') AS BLOB)", "differs at event 2 "),
        ("data = replace(data, 'e8,d9', 'e8,d8')", "differs at event 2 "),
        ("actor = x'41'", "differs at event 2 "),
        ("received_at = 'never'", "differs at event 2 "),
        ("kind = 7", "differs at event 2 "),
        ("hash = 'none'", "differs at event 2 "),
    ],
)
def test_one_changed_value_is_found_by_the_audit(
    call: Call, tmp_path: Path, change: str, what: str
) -> None:
    """Whatever is written into the event by hand: match and event are named, exit code 1."""
    call("import", RECORD)
    with closing(sqlite3.connect(data_of(tmp_path) / "plybook.sqlite")) as log, log:
        log.execute("DROP TRIGGER event_no_update")
        log.execute(f"UPDATE event SET {change} WHERE version = 2")  # noqa: S608 - ours
    code, out, err = call("audit", "--all")
    assert code == 1
    assert out.startswith(f"{MATCH}: {what}")
    assert err == "1 of 1 matches differ from what they should be.\n"


def test_a_cut_tail_is_found_by_kept_heads_alone(call: Call, tmp_path: Path) -> None:
    """The heads that left the database know of events that are gone."""
    call("import", RECORD)
    heads = tmp_path / "heads"
    heads.write_text(call("heads")[1])
    with closing(sqlite3.connect(data_of(tmp_path) / "plybook.sqlite")) as log, log:
        log.execute("DROP TRIGGER event_no_delete")
        log.execute("DELETE FROM event WHERE version > 20")
    assert call("audit", MATCH, "--heads", heads)[0] == 1
    assert "differs at event 32" in call("audit", MATCH, "--heads", heads)[1]


def test_heads_that_cannot_be_read_prove_nothing(call: Call, tmp_path: Path) -> None:
    """Without a head to compare there is no verdict, and least of all a good one."""
    call("import", RECORD)
    heads = tmp_path / "heads"
    for content in ("", "no head\n"):
        heads.write_text(content)
        code, out, err = call("audit", MATCH, "--heads", heads)
        assert (code, out) == (1, "")
        assert err.endswith(f"{heads} holds no head that can be read: nothing was compared.\n")


def test_a_rebuild_changes_nothing_and_tells_its_speed(call: Call) -> None:
    """The same log gives the same tables."""
    call("import", RECORD)
    code, out, _ = call("rebuild")
    assert code == 0
    assert out.startswith("boards, work_due: 32 events, ")
    assert "match_list: 32 events" in out


def test_the_demo_matches_are_good_and_come_in_once(call: Call) -> None:
    """Seeding twice is seeding once."""
    code, out, _ = call("seed")
    assert code == 0
    assert out.count(", imported") == len(list(SEEDS.glob("*/matches/*")))
    assert call("seed")[1].count(", already here") == out.count(", imported")
    assert call("audit", "--all")[1].splitlines()[-1] == f"{out.count(', imported')} proved"


def test_a_backup_is_a_whole_log_without_the_key(call: Call, tmp_path: Path) -> None:
    """It can be read by another installation, and says where the key is kept apart."""
    call("import", RECORD)
    copy = tmp_path / "copy.sqlite"
    code, out, _ = call("backup", copy)
    assert code == 0
    assert "secret.key: keep it too, in another place." in out
    assert call("backup", copy)[2] == f"{copy} exists already; a backup replaces nothing.\n"
    other = Machine(tmp_path / "other", PLYBOOK_DATABASE=f"sqlite:///{copy}")
    assert f"{MATCH}: proved" in other.run("audit", "--all").stdout


def test_who_writes_waits_for_nobody_in_silence(call: Call, tmp_path: Path) -> None:
    """While another process holds the folder, a command that writes says so at once."""
    with locked(data_of(tmp_path)):
        code, _, err = call("import", RECORD)
    assert code == 1
    assert "is in use by another command" in err


def test_a_server_that_does_not_answer_is_a_sentence(call: Call, tmp_path: Path) -> None:
    """The folder says there is a server; nobody is at its port."""
    data = data_of(tmp_path)
    with locked(data), announced(data, RunningServer("http://127.0.0.1:1", "t", 1)):
        code, _, err = call("import", RECORD)
    assert code == 1
    assert err.startswith("The server does not answer (")


def test_a_file_that_might_never_end_is_refused_before_anybody_waits(
    call: Call, tmp_path: Path
) -> None:
    """A pipe without a writer would keep the data folder locked for ever."""
    pipe = tmp_path / "pipe\x1b[2J"
    os.mkfifo(pipe)
    for file, name in ((pipe, f"{tmp_path}/pipe\\x1b[2J"), (tmp_path, str(tmp_path))):
        code, out, err = call("import", RECORD, file)
        assert (code, out) == (1, "")
        assert err == f"{name} is no regular file: nothing was imported.\n"
    assert not data_of(tmp_path).exists()


def test_the_name_of_a_file_is_shown_and_not_obeyed(call: Call, tmp_path: Path) -> None:
    """Control characters in it could clear a terminal, or feign a line of ours."""
    file = tmp_path / "a\x1b[2J\nb.record"
    file.write_bytes(RECORD.read_bytes())
    code, out, _ = call("import", file, tmp_path / "c\r")
    assert code == 1
    ours, missing = out.splitlines()
    assert ours.startswith(f"{tmp_path}/a\\x1b[2J\\nb.record")
    assert missing.startswith(f"{tmp_path}/c\\r: refused, cannot-read")


def test_a_data_folder_that_we_make_is_for_its_owner_alone(call: Call, tmp_path: Path) -> None:
    """And so is every file in it."""
    call("import", RECORD)
    data = data_of(tmp_path)
    assert data.stat().st_mode & 0o777 == 0o700
    for file in data.iterdir():
        assert file.stat().st_mode & 0o777 == 0o600, file.name


@pytest.mark.parametrize("name", ["worker", "relay"])
def test_processes_of_the_production_form_need_its_broker(call: Call, name: str) -> None:
    """An in-process queue cannot be shared."""
    code, _, err = call(name)
    assert code == 2
    assert err.startswith("PLYBOOK_BROKER is memory://")


def test_a_role_that_does_not_go_with_the_broker_is_refused(call: Call) -> None:
    """The page alone would have no worker."""
    code, _, err = call("serve", "--role", "web")
    assert code == 1
    assert err.startswith("--role web does not go with PLYBOOK_BROKER=memory://")


def test_migrating_is_done_once(call: Call) -> None:
    """The second time there is nothing to do."""
    assert "done: " in call("migrate")[1]
    assert call("migrate")[1] == "The database is ready.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("backup", "nowhere/copy"),
        ("export", MATCH, "--output", "nowhere/file"),
        ("replay", MATCH, "--svg", "nowhere/picture"),
    ],
)
def test_a_place_that_cannot_be_written_is_a_sentence(
    call: Call, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """It names the file; nobody is shown the inside of the program for a missing folder."""
    call("import", RECORD)
    code, out, err = call(*arguments[:-1], tmp_path / arguments[-1])
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert str(tmp_path / arguments[-1]) in err


def test_a_data_folder_that_cannot_be_made_is_a_sentence(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when it would lie inside a file, or in a folder of somebody else."""
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("PLYBOOK_DATA", str(file / "data"))
    code, out, err = call("seed")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(f"It failed: {file / 'data'}")


@pytest.mark.parametrize("data", [b"{", b'{"turn":3,"seat":"A","move":"nowhere"}'])
def test_an_event_changed_behind_our_back_is_named_by_whatever_meets_it(
    call: Call, tmp_path: Path, data: bytes
) -> None:
    """One sentence with match and event; the audit counts it as a difference."""
    call("import", RECORD)
    store = SqliteStore(data_of(tmp_path) / "plybook.sqlite")
    change_data(store, f"match/{MATCH}", 5, data)
    store.close()
    for command in (("replay", MATCH), ("export", MATCH)):
        code, out, err = call(*command)
        assert (code, out, err.count("\n")) == (1, "", 1)
        assert f"event 5 of {MATCH} (match.move_played.1) is damaged: " in err
    code, out, err = call("rebuild")
    assert (code, out.count("\n"), err.count("\n")) == (1, 5, 2)
    assert err.startswith(f"Left out: match/{MATCH}: event 5 of {MATCH} (match.move_played.1) is")
    code, out, _ = call("audit", MATCH)
    assert (code, out.splitlines()[0].partition(" (")[0]) == (1, f"{MATCH}: differs at event 5")
