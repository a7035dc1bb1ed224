"""Makes takes of every kind, lets every reader read them, and prints who reads what.

usage: main.py [--quick] [--only KIND] [--format FORMAT] [--program FILE] [--folder FOLDER] [--found FILE]

What an earlier run has left in the FILE is in the tables as well.

Exits with 1 if a reader refuses a take, but not a file of ffmpeg of the same kind.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from peers import peer
from programs import READERS, Refused, missing, read
from takes import CHANNELS, CONTAINERS, SAMPLES, Recorder

KINDS = ("short", "3 minutes", "over 4 GiB", "killed", "repaired")
HEADINGS = ("short", "3 minutes", "over 4 GiB", "killed, as it is left", "killed, after the next start")
# In `make check`, keyed by whether takes are short.
QUICK = {True: (("16", 1), ("24", 2), ("float", 8)), False: (("24", 2),)}
# One variant of each format: its size fields are like the others', and each takes a quarter of an hour.
BIG = ("24", 8)
# VLC plays in real time, and leaves the processors to others meanwhile.
TAKES_AT_ONCE = 2 + (os.cpu_count() or 1)
TEXT = """## Readers

`make readers` makes takes of 16 and 24 bits and float, of one, two and eight channels, and lets programs read them that
others wrote. *Read* is a take of which the program finds every frame, the rate and the channels; those that decode find
every sample (VLC, which plays at its own pace, those of the last second). Of a killed take as it is left at most the last
second is missing. What a program refuses it refuses of a file that ffmpeg made of the same sound, too: no take is refused
alone. MP4Box is not tried: Debian 12 does not have it. Over 4 GiB only 24 bits with eight channels are tried, because the
sizes have the same form with others; of an AIFF, which goes on in a second file, the first is read;
`board/reliability/readers --only 'over 4 GiB'` tries those alone.
"""
SHAPES = [(sample, channels) for sample in SAMPLES for channels in CHANNELS]


class Table:
    """What was found, by reader, container and kind."""

    def __init__(self):
        self.cells = defaultdict(dict)
        self.faults = []

    def keep(self, path):
        """Writes what was found, for a later run that tries other kinds."""
        rows = [[*cell, *shape, reason] for cell, found in self.cells.items() for shape, reason in found.items()]
        path.write_text(json.dumps(rows))

    def take_in(self, path):
        if path.exists():
            for reader, container, kind, sample, channels, reason in json.loads(path.read_text()):
                self.cells[reader, container, kind][sample, channels] = reason

    def add(self, reader, take, reason, is_ours):
        self.cells[reader, take.container, take.kind][take.sample, take.channels] = reason
        if is_ours:
            self.faults.append(f"{reader}: {take.container}, {take.sample}, {take.channels} channels, {take.kind}: {reason}")

    def reasons(self):
        """Of each reader, format and kind the first refusal."""
        for (reader, container, kind), found in self.cells.items():
            for (sample, channels), reason in found.items():
                if reason is not None:
                    yield f"| {reader} | {container}, {sample}, {channels}, {kind} | {reason.replace('|', '/')} |"
                    break

    def cell(self, reader, container, kind):
        found = self.cells[reader, container, kind]
        if not found:
            return "not tried"
        refused = [shape for shape, reason in found.items() if reason is not None]
        if not refused:
            return "read"
        if len(refused) == len(found):
            return "refused"
        return f"read, but {described(refused, found)}"

    def rows(self):
        for reader, (_, containers) in READERS.items():
            for container in containers:
                cells = (self.cell(reader, container, kind) for kind in KINDS)
                yield f"| {reader} | {container} | {' | '.join(cells)} |"


def described(refused, tried):
    """Shapes in few words."""
    words = []
    rest = set(refused)
    for sample in SAMPLES:
        whole = {shape for shape in tried if shape[0] == sample}
        if whole and whole <= rest:
            words.append(sample if sample == "float" else f"{sample} bits")
            rest -= whole
    for channels in CHANNELS:
        whole = {shape for shape in tried if shape[1] == channels}
        if whole and whole <= set(refused) and whole & rest:
            words.append(f"{channels} channels" if channels > 1 else "mono")
            rest -= whole
    words += [f"{sample} with {channels}" for sample, channels in sorted(rest)]
    return ", ".join(words)


def judge(take):
    """Of each reader the reason of a refusal, and whether it is the recorder's fault."""
    like = None
    for reader, (_, containers) in READERS.items():
        if take.container not in containers:
            continue
        reason, is_ours = refusal(reader, take), False
        if reason is not None:
            like = like or peer(take)
            is_ours = refusal(reader, like) is None
        yield reader, reason, is_ours


def refusal(reader, take):
    try:
        read(reader, take)
    except Refused as refused:
        return str(refused).replace(f"{take.opened.parent}/", "")
    return None


def wanted(options, kind):
    """Containers and shapes."""
    shapes = [BIG] if kind == "over 4 GiB" else QUICK[kind == "short"] if options.quick else SHAPES
    containers = [options.format] if options.format else CONTAINERS
    return [(container, *shape, kind) for container in containers for shape in shapes]


def tried(options, table, folder):
    recorder = Recorder(options.program, folder)

    def made_and_read(want):
        take = recorder.make(*want)
        found = list(judge(take))
        print(f"{take.kind}: {take.container}, {take.sample}, {take.channels}", file=sys.stderr, flush=True)
        recorder.forget(take)
        return take, found

    kinds = [options.only] if options.only else [kind for kind in KINDS if not (options.quick and kind == "over 4 GiB")]
    for kind in kinds:
        # A small machine's disk holds two of those, with ffmpeg's beside each.
        with ThreadPoolExecutor(2 if kind == "over 4 GiB" else TAKES_AT_ONCE) as pool:
            for take, found in pool.map(made_and_read, wanted(options, kind)):
                for reader, reason, is_ours in found:
                    table.add(reader, take, reason, is_ours)
                if options.found:
                    table.keep(options.found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=KINDS)
    parser.add_argument("--format", choices=CONTAINERS)
    parser.add_argument("--program", default="build/host/fieldcorder")
    parser.add_argument("--folder")
    parser.add_argument("--found", type=Path)
    options = parser.parse_args()
    if lacking := missing():
        sys.exit(f"readers: not installed: {', '.join(lacking)}: board/packages/install readers")
    table = Table()
    if options.found:
        table.take_in(options.found)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        Path(folder).chmod(0o755)
        tried(options, table, folder)
    print(TEXT)
    print(f"| reader | format | {' | '.join(HEADINGS)} |\n|---|---|---|---|---|---|---|")
    for row in table.rows():
        print(row)
    print("\nWhy, of the first refused take of each kind:\n\n| reader | take | in its words |\n|---|---|---|")
    for row in table.reasons():
        print(row)
    for fault in table.faults:
        print(f"readers: {fault}", file=sys.stderr)
    sys.exit(1 if table.faults else 0)


main()
