"""``gitmem watch --install`` and ``--uninstall`` (`cli.md`): a unit of systemd, or a line of the crontab."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git, Gitmem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "w").close()
    return tmp_path / "w"


class Machine:
    """A machine with a systemd, a cron, both or neither; what they were told is in files."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.bin, self.home = folder / "bin", home
        self.crontab, self.told = folder / "crontab", folder / "told"
        self.bin.mkdir()

    def with_systemd(self, *, refuses: str = "") -> None:
        """A systemctl that answers, but for one verb."""
        script = f'echo "$*" >> "{self.told}"\nif [ "$2" = "{refuses}" ]; then echo no >&2; exit 1; fi\n'
        self._program("systemctl", script)

    def without_systemd(self) -> None:
        self._program("systemctl", 'echo "Failed to connect to bus" >&2; exit 1\n')

    def with_cron(self, *, broken: bool = False) -> None:
        """A crontab that keeps what it is given."""
        kept = self.crontab
        script = f"""case "$1" in
            -l) if [ -e "{kept}" ]; then cat "{kept}"; else echo "no crontab for ada" >&2; exit 1; fi;;
            -r) rm "{kept}";;
            -) cat > "{kept}";;
        esac"""
        script = "echo permission denied >&2; exit 1" if broken else script
        self._program("crontab", script)

    def asked(self) -> list[str]:
        """What systemctl was told since the last time, without whether it answers."""
        lines = self.told.read_text().splitlines() if self.told.exists() else []
        self.told.unlink(missing_ok=True)
        return [line.removeprefix("--user ") for line in lines if "show-environment" not in line]

    def _program(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path, home)
    for name in ("git", "sh", "cat", "rm"):
        (made.bin / name).symlink_to(_found(name))
    monkeypatch.setenv("PATH", str(made.bin))
    return made


def _found(name: str) -> str:
    found = shutil.which(name)
    assert found is not None
    return found


def identity(gitmem: Gitmem, folder: Path) -> str:
    return str(gitmem("status", "--json", cwd=folder).json["workspace_id"])


def test_it_becomes_a_service_of_the_user(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.with_systemd()
    machine.with_cron()
    name = f"gitmem-watch-{identity(gitmem, folder)}.service"
    unit = machine.home / ".config" / "systemd" / "user" / name
    answer = gitmem("watch", "--install", "--json", cwd=folder)
    assert answer.json == {
        "ok": True,
        "kind": "systemd",
        "name": name,
        "path": str(unit),
        "line": None,
        "changed": True,
        "remove": f"gitmem -C {folder} watch --uninstall",
    }
    assert machine.asked() == ["daemon-reload", f"enable --now {name}"]
    lines = unit.read_text().splitlines()
    assert f'ExecStart="{sys.executable}" "-P" "-m" "gitmem_cli" "-C" "{folder}" "watch"' in lines
    assert f'Environment="PATH={machine.bin}"' in lines
    assert "Restart=on-failure" in lines
    assert not machine.crontab.exists()

    again = gitmem("watch", "--install", "--json", cwd=folder)
    assert again.json["changed"] is False
    assert "restart" not in " ".join(machine.asked())
    assert unit.read_text().splitlines() == lines

    removed = gitmem("watch", "--uninstall", "--json", cwd=folder)
    assert removed.json == {"ok": True, "removed": [str(unit)]}
    assert machine.asked() == [f"disable --now {name}", "daemon-reload"]
    assert not unit.exists()
    assert gitmem("watch", "--uninstall", "--json", cwd=folder).json == {"ok": True, "removed": []}
    assert machine.asked() == []


def test_it_says_what_it_wrote_and_how_to_remove_it(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.with_systemd()
    answer = gitmem("watch", "--install", cwd=folder)
    assert answer.status == 0
    name = f"gitmem-watch-{identity(gitmem, folder)}.service"
    assert f"unit: {machine.home}/.config/systemd/user/{name}" in answer.out
    assert f"to remove it: gitmem -C {folder} watch --uninstall" in answer.out
    assert "enable-linger" in answer.err
    assert "is installed already" in gitmem("watch", "--install", cwd=folder).out
    assert gitmem("watch", "--uninstall", cwd=folder).out.startswith("removed ")
    assert gitmem("watch", "--uninstall", cwd=folder).out == "nothing was installed\n"


def test_settings_of_the_installation_stay_with_it(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.with_systemd()
    gitmem("watch", "--install", cwd=folder)
    machine.asked()
    answer = gitmem("-c", "gitmem.writer.triggerTokens=8000", "watch", "--install", "--json", cwd=folder)
    assert answer.json["changed"] is True
    assert machine.asked()[-1].startswith("restart ")
    (unit,) = (machine.home / ".config" / "systemd" / "user").iterdir()
    assert '"-c" "gitmem.writer.triggerTokens=8000" "watch"' in unit.read_text()


def test_the_folder_of_settings_may_be_elsewhere(
    gitmem: Gitmem, folder: Path, machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.with_systemd()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    answer = gitmem("watch", "--install", "--json", cwd=folder)
    assert answer.json["path"].startswith(str(tmp_path / "settings" / "systemd" / "user"))


def test_what_systemd_refuses_leaves_no_unit(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.with_systemd(refuses="enable")
    answer = gitmem("watch", "--install", "--json", cwd=folder)
    assert (answer.status, answer.code) == (1, "WRITER_PRECONDITION_FAILED")
    assert list((machine.home / ".config" / "systemd" / "user").iterdir()) == []


def test_a_unit_that_somebody_else_wrote_stays(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.with_systemd()
    unit = machine.home / f".config/systemd/user/gitmem-watch-{identity(gitmem, folder)}.service"
    unit.parent.mkdir(parents=True)
    unit.write_text("[Unit]\n")
    for option in ("--install", "--uninstall"):
        assert gitmem("watch", option, "--json", cwd=folder).code == "WRITER_PRECONDITION_FAILED"
    assert unit.read_text() == "[Unit]\n"


def test_a_unit_is_removed_where_systemd_does_not_answer(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.with_systemd()
    unit = gitmem("watch", "--install", "--json", cwd=folder).json["path"]
    wanted = machine.home / ".config/systemd/user/default.target.wants" / os.path.basename(unit)  # noqa: PTH119  (a str)
    wanted.parent.mkdir()
    wanted.symlink_to(unit)
    machine.without_systemd()
    assert gitmem("watch", "--uninstall", "--json", cwd=folder).json["removed"] == [unit]
    assert not os.path.lexists(wanted)


def test_without_systemd_it_becomes_a_line_of_the_crontab(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.without_systemd()
    machine.with_cron()
    others = "MAILTO=ada\n# */5 * * * * old # gitmem-watch-w-00000000\n0 4 * * * backup % all\n\n@reboot x"
    machine.crontab.write_text(others)
    answer = gitmem("watch", "--install", "--json", cwd=folder).json
    name = f"gitmem-watch-{identity(gitmem, folder)}"
    line = (
        f"*/5 * * * * PATH={machine.bin} {sys.executable} -P -m gitmem_cli -C {folder} watch --once >/dev/null # {name}"
    )
    assert (answer["kind"], answer["name"], answer["line"], answer["changed"]) == ("crontab", name, line, True)
    assert machine.crontab.read_text() == f"{others}\n{line}\n"
    assert gitmem("watch", "--install", "--json", cwd=folder).json["changed"] is False
    assert machine.crontab.read_text() == f"{others}\n{line}\n"
    machine.crontab.write_text(f"{line}-not\n{line}\n{others}\n#{line}\n")
    assert gitmem("watch", "--uninstall", "--json", cwd=folder).json["removed"] == [line]
    assert machine.crontab.read_text() == f"{line}-not\n{others}\n#{line}\n"


def test_lines_that_are_no_text_stay_as_they_are(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.without_systemd()
    machine.with_cron()
    machine.crontab.write_bytes(b"0 4 * * * \xff\x0b\r\n")
    gitmem("watch", "--install", cwd=folder)
    assert machine.crontab.read_bytes().startswith(b"0 4 * * * \xff\x0b\r\n*/5 ")
    gitmem("watch", "--uninstall", cwd=folder)
    assert machine.crontab.read_bytes() == b"0 4 * * * \xff\x0b\r\n"


def test_a_crontab_that_was_empty_is_none_again(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.without_systemd()
    machine.with_cron()
    answer = gitmem("watch", "--install", cwd=folder)
    assert (answer.status, answer.err) == (0, "")
    assert "this line of your crontab" in answer.out
    assert gitmem("watch", "--uninstall", cwd=folder).status == 0
    assert not machine.crontab.exists()


def test_a_crontab_that_cannot_be_read_is_not_written(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.without_systemd()
    machine.with_cron(broken=True)
    for option in ("--install", "--uninstall"):
        answer = gitmem("watch", option, "--json", cwd=folder)
        assert (answer.status, answer.code) == (1, "WRITER_PRECONDITION_FAILED")


def test_an_older_line_is_brought_up_to_date(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.without_systemd()
    machine.with_cron()
    line = gitmem("watch", "--install", "--json", cwd=folder).json["line"]
    machine.crontab.write_text(line.replace("*/5", "*/7") + "\n0 4 * * * backup\n")
    assert gitmem("watch", "--install", "--json", cwd=folder).json["changed"] is True
    assert machine.crontab.read_text() == f"0 4 * * * backup\n{line}\n"


def test_a_systemd_that_came_later_takes_over(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.without_systemd()
    machine.with_cron()
    gitmem("watch", "--install", cwd=folder)
    machine.with_systemd()
    assert gitmem("watch", "--install", "--json", cwd=folder).json["kind"] == "systemd"
    assert not machine.crontab.exists()


def test_where_nothing_can_run_it_that_is_said(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    assert machine.bin.is_dir()
    answer = gitmem("watch", "--install", "--json", cwd=folder)
    assert (answer.status, answer.code) == (1, "WRITER_PRECONDITION_FAILED")
    assert gitmem("watch", "--uninstall", "--json", cwd=folder).json == {"ok": True, "removed": []}


@pytest.mark.parametrize("kind", ["systemd", "cron"])
def test_a_clone_does_not_take_the_service_of_another(
    gitmem: Gitmem, folder: Path, machine: Machine, git: Git, kind: str
) -> None:
    machine.without_systemd()
    if kind == "systemd":
        machine.with_systemd()
    machine.with_cron()
    gitmem("watch", "--install", cwd=folder)
    clone = folder.parent / "a clone"
    git(folder.parent, "clone", "-q", str(folder), str(clone))
    for option in ("--install", "--uninstall"):
        answer = gitmem("watch", option, "--json", cwd=clone)
        assert (answer.status, answer.code) == (1, "WRITER_PRECONDITION_FAILED")
        assert f"`gitmem -C {folder} watch --uninstall`" in answer.json["error"]["message"]
    folder.rename(folder.parent / "gone")
    assert gitmem("watch", "--install", "--json", cwd=clone).json["changed"] is True
    gitmem("watch", "--uninstall", cwd=clone)
    assert not machine.crontab.exists()


def test_in_json_an_installed_service_has_one_shape(gitmem: Gitmem, folder: Path, machine: Machine) -> None:
    machine.without_systemd()
    machine.with_cron()
    answer: Any = gitmem("watch", "--install", "--json", cwd=folder).json
    assert list(answer) == ["ok", "kind", "name", "path", "line", "changed", "remove"]
