#!/usr/bin/env python3
"""Try the Debian package on a system that has nothing else: installed, started, asked, removed.

python3 installer/deb_trial.py PACKAGE                    as root, with debootstrap and Xvfb
python3 installer/deb_trial.py PACKAGE --suite trixie     another Debian than bookworm
python3 installer/deb_trial.py PACKAGE --picture FILE     keeps the picture of the window (PNG)

The system lies in a folder of its own, which is taken away at the end; of this one the program
sees the network of the package server and the screen alone. Prints one line a step; the exit
status is 1 when one of them failed.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import screen

SAMPLES = Path(__file__).resolve().parent.parent / "resources" / "samples"
QUESTION, ANSWER = "How long is the notice period for ending the lease?", "three months"
USER = "reader"
LAUNCHER = "usr/share/applications/desktop-rag.desktop"
SECONDS = 60.0


class CleanSystem:
    """A Debian in a folder, and commands that run in it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, command: str, *, user: str = "") -> str:
        """Run a shell's command, as root or as a user; return what it printed."""
        words = self.words(command, user=user)
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"{command}: {(done.stderr or done.stdout)[-600:]}")
        return done.stdout

    def words(self, command: str, *, user: str = "") -> list[str]:
        """Return the words that run a shell's command there."""
        told = f"su - {user} -c {shlex.quote(command)}" if user else command
        return ["chroot", str(self.root), "sh", "-c", told]


class Failure(Exception):
    """A step did not come out as it should."""


def main() -> int:
    """Try a package step by step."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("package", type=Path)
    reader.add_argument("--suite", default="bookworm")
    reader.add_argument("--mirror", default="http://deb.debian.org/debian")
    reader.add_argument("--picture", type=Path)
    given = reader.parse_args()
    try:
        with clean_system(given.suite, given.mirror) as system:
            install(system, given.package)
            ask(system)
            start(system, given.picture)
            remove(system)
    except Failure as failure:
        print(f"FAILED: {failure}", flush=True)
        return 1
    return 0


@contextmanager
def clean_system(suite: str, mirror: str) -> Iterator[CleanSystem]:
    """Make a Debian with nothing but what every one has; take it down again."""
    with tempfile.TemporaryDirectory(prefix="deb-trial-") as folder:
        root = Path(folder) / "root"
        making = ["debootstrap", "--variant=minbase", suite, str(root), mirror]
        if subprocess.run(making, capture_output=True, check=False).returncode != 0:
            raise Failure("no system could be made: is debootstrap there, and are you root?")
        shutil.copy("/etc/resolv.conf", root / "etc")
        mounts = [["-t", "proc", "proc", str(root / "proc")], ["--bind", "/dev", str(root / "dev")]]
        for each in mounts:
            subprocess.run(["mount", *each], check=True)
        print(f"a clean {suite}", flush=True)
        try:
            yield CleanSystem(root)
        finally:
            for each in reversed(mounts):
                subprocess.run(["umount", "--lazy", each[-1]], check=False)


def install(system: CleanSystem, package: Path) -> None:
    """Install with what the package says it needs, and without what it only recommends."""
    shutil.copy(package, system.root / "root" / "desktop-rag.deb")
    apt = "DEBIAN_FRONTEND=noninteractive apt-get -q -y"
    system.run(f"{apt} update")
    system.run(f"{apt} install --no-install-recommends /root/desktop-rag.deb")
    system.run(f"useradd -m -s /bin/sh {USER}")
    shutil.copytree(SAMPLES, system.root / "home" / USER / "samples")
    system.run(f"chown -R {USER} /home/{USER}")
    version = system.run("desktop-rag --version", user=USER).strip()
    print(f"installed: {version}", flush=True)


def ask(system: CleanSystem) -> None:
    """Read the samples and ask one of them, as a user who is not root."""
    told = system.run("desktop-rag index samples", user=USER).strip().splitlines()[-1]
    print(f"read: {told}", flush=True)
    answer = system.run(f"desktop-rag ask {shlex.quote(QUESTION)}", user=USER)
    if ANSWER not in answer:
        raise Failure(f"the answer does not hold “{ANSWER}”: {answer[:300]}")
    print("asked: the answer quotes the lease", flush=True)


def start(system: CleanSystem, picture: Path | None) -> None:
    """Start the window as the desktop does: by its entry's command, without a file."""
    entry = (system.root / LAUNCHER).read_text(encoding="utf-8")
    (command,) = [
        line.partition("=")[2].replace("%F", "").strip()
        for line in entry.partition("[Desktop Action")[0].splitlines()
        if line.startswith("Exec=")
    ]
    with screen.opened() as shown:
        if shown.frame is None:
            raise Failure("Xvfb is missing: the window can't be looked at")
        display = shown.environment["DISPLAY"]
        words = system.words(f"DISPLAY={display} LANG=C.UTF-8 {command}", user=USER)
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as window:
            begun = time.monotonic()
            while not shown.is_painted():
                if window.poll() is not None or time.monotonic() - begun > SECONDS:
                    window.kill()
                    raise Failure("the window was not painted")
                time.sleep(0.1)
            time.sleep(3)  # until what it shows is there
            if picture is not None:
                shown.save(picture)
            shown.close_window()
            if window.wait(SECONDS) != 0:
                raise Failure(f"the window ended with {window.returncode}")
    print(f"started from its desktop entry: {command}", flush=True)


def remove(system: CleanSystem) -> None:
    """Remove the package, and see that nothing is left but what its user made."""
    system.run("apt-get -q -y purge desktop-rag")
    data = f"/home/{USER}/.local/share/desktop-rag"
    search = "find / -xdev -iname '*desktop-rag*' -not -path '/proc/*' -not -path '/root/*'"
    left = system.run(f"{search} -not -path '{data}*' -not -path '/tmp/*'").split()
    if left:
        raise Failure(f"this is left: {', '.join(left[:5])}")
    system.run(f"test -d {data}")
    print(f"removed: left is {data}, which is its user's", flush=True)


if __name__ == "__main__":
    sys.exit(main())
