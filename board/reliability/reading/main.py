"""Makes takes of every kind, lets every reader read them, and prints who reads what.

usage: main.py [--quick] [--only KIND] [--program FILE] [--folder FOLDER] [--found FILE]

What an earlier run has left in the FILE is in the tables as well.

Exits with 1 if a reader refuses a take, but not a file of ffmpeg of the same kind.
"""

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from peers import peer
from programs import READERS, Refused, missing, read
from takes import CHANNELS, CONTAINERS, SAMPLES, Recorder

KINDS = ("short", "3 minutes", "over 4 GiB", "killed", "repaired")
HEADINGS = ("short", "3 minutes", "over 4 GiB", "killed, as it is left", "killed, after the next start")
# In `make check`: by whether takes are short.
QUICK = {True: (("16", 1), ("24", 2), ("float", 8)), False: (("24", 2),)}
TEXT = """## Readers

`make readers` makes takes of 16 and 24 bits and float, of one, two and eight channels, and lets programs read them that
others wrote. *Read* is a take of which the program finds every frame, the rate and the channels; those that decode find
every sample (VLC, which plays at its own pace, those of the last second). Of a killed take as it is left at most the last
second is missing. What a program refuses it refuses of a file that ffmpeg made of the same sound, too: no take is refused
alone. MP4Box is not tried: Debian 12 does not have it. An AIFF over 4 GiB is two files.
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


def judge(reader, take):
    """The reason of a refusal, and whether it is the recorder's fault."""
    try:
        read(reader, take)
        return None, False
    except Refused as refusal:
        reason = str(refusal)
    like = peer(take)
    try:
        read(reader, like)
        return reason, True
    except Refused:
        return reason, False
    finally:
        like.peer.unlink(missing_ok=True)


def wanted(options):
    """Containers, shapes and kinds, in an order in which few takes are on the disk at once."""
    for kind in KINDS if not options.only else (options.only,):
        for container in CONTAINERS:
            for sample, channels in SHAPES:
                if options.quick and (kind == "over 4 GiB" or (sample, channels) not in QUICK[kind == "short"]):
                    continue
                yield container, sample, channels, kind


def tried(options, table, folder):
    recorder = Recorder(options.program, folder)
    for container, sample, channels, kind in wanted(options):
        take = recorder.make(container, sample, channels, kind)
        for reader, (_, containers) in READERS.items():
            if container in containers:
                table.add(reader, take, *judge(reader, take))
        print(f"{kind}: {container}, {sample}, {channels}", file=sys.stderr)
        recorder.forget(take)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=KINDS)
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
    if options.found:
        table.keep(options.found)
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
