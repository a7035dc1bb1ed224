"""Simulated weeks of a recorder that is alone: is each scheduled second in a take, or in the summary with its reason?

usage: weeks.py [--weeks N] [--seed N] [--program FILE] [--keep DIR]

The program runs on its virtual clock, from one start to the next: rules of times, the sun, weekdays and duty cycles,
quiet hours, a zone whose clocks are set forward or back, triggers, faults of all devices, a battery that falls, a clock
that is lost, a full card, a person. It is killed at some moments, and started later. Then the recorded seconds are
those of the WAVs, the scheduled ones come from an evaluation of the rules in rules.py, and the missed ones from
summary.csv. Exits with 1 if a second is in neither. Except for the moments of the kills, a seed gives the same again.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from judge import Judge
from plan import HOUR, Plan
from takes import read_kept_until, read_take

ROOT = Path(__file__).resolve().parents[2]
# The most that the program waits for at once.
LONGEST_WAIT = 86400


class Card:
    """A data folder, and what was found on it."""

    def __init__(self, folder):
        self.folder = folder
        self.takes = []

    def read(self, keep):
        """Notes each take and removes it, but the newest ones."""
        found = sorted(self.folder.glob("audio/*/*.wav"), key=lambda path: int(path.stem.rsplit("_")[-1]))
        for path in found[: len(found) - keep]:
            self.takes.append(read_take(path))
            path.unlink()

    def newest(self):
        """The last second that is known to have been recorded or told."""
        return max([read_kept_until(self.folder), *(end for _, end in self.takes[-3:])])

    def free(self):
        return shutil.disk_usage(self.folder).free


def script(stretch):
    """The lines for the console: waits and commands, the date before the kill, and `quit`."""
    lines, place = [], 0
    end = stretch.end - stretch.begin
    for at, command in [*sorted(stretch.commands), (end, "clock")]:
        while place < min(at, end):
            step = min(at - place, LONGEST_WAIT)
            lines.append(f"wait {step}")
            place += step
        if at <= end:
            lines.append(command)
    # Until it is killed; an idle day takes a second.
    return [*lines, *([f"wait {LONGEST_WAIT}"] * 20 if stretch.killed else ["quit"])]


def run(program, plan, stretch, card, number, log):
    """Runs a stretch, and says until when it lived as far as its console tells."""
    (card.folder / "../configuration").resolve().write_text(plan.configuration(stretch, card.free()))
    (card.folder / "../script").resolve().write_text("\n".join(script(stretch)) + "\n")
    words = [program, "--board", "sim", "--clock", "fast", "--console", "stdio", "--data", card.folder]
    words += ["--config", card.folder.parent / "configuration", "--script", card.folder.parent / "script"]
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        [*words, "--seed", str(number)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
    )
    for line in process.stdout:
        if stretch.killed and re.match(r"[A-Z][a-z]+day, \d{4}-", line):
            process.kill()
        log.write(line)
    if process.wait() != (-9 if stretch.killed else 0):
        sys.exit(f"weeks.py: the program ended with {process.returncode} ({stretch.kind}): see {log.name}")


def simulate(options, folder):
    plan = Plan(options.seed, options.weeks)
    card = Card(folder / "data")
    card.folder.mkdir()
    judge = Judge(plan)
    begin, number = plan.begin, 0
    with open(folder / "log", "w") as log:
        while begin < plan.end:
            stretch = plan.next(begin)
            number += 1
            log.write(f"=== {stretch}\n")
            before = time.monotonic()
            run(options.program, plan, stretch, card, options.seed * 1000 + number, log)
            kept = read_kept_until(card.folder)
            # What the kill left open is completed by the next start.
            card.read(keep=2 if stretch.killed else 1)
            known = max(card.newest(), stretch.end)
            following = round(known) + stretch.off if stretch.end < plan.end else plan.end
            judge.add(stretch, kept, following)
            begin = following
            if options.verbose:
                hours = (stretch.end - stretch.begin) / HOUR
                how, passed = "killed" if stretch.killed else "quit", time.monotonic() - before
                print(f"{stretch.kind:12} {hours:5.1f} h {how:7}{passed:6.1f} s", file=sys.stderr)
        card.read(keep=0)
    (folder / "takes").write_text("".join(f"{begin:.4f} {end:.4f}\n" for begin, end in card.takes))
    return judge, card


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weeks", type=float, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default=ROOT / "build/host/fieldcorder")
    parser.add_argument("--keep", type=Path, help="a folder for the summary, the times of the takes, and what was said")
    parser.add_argument("--verbose", action="store_true", help="print each stretch")
    options = parser.parse_args()
    begin = time.monotonic()
    # In memory, if there is enough: what is judged is the time, and not the disk.
    shared = "/dev/shm" if os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 3e9 else None
    with tempfile.TemporaryDirectory(dir=shared) as name:
        folder = Path(name)
        try:
            judge, card = simulate(options, folder)
            isGood = judge.report(card, options)
        finally:
            if options.keep:
                shutil.copytree(folder, options.keep, dirs_exist_ok=True)
    print(f"seed {options.seed}, {(time.monotonic() - begin) / 60:.1f} minutes")
    sys.exit(0 if isGood else 1)


main()
