"""What the card's real U-Boot script chooses after power cuts of an update.

QEMU recorded every write and flush of a machine that installed an update. A cut is drawn behind each of them, from a seed, in
the two models of a card that board/rig/cuts/cards.py describes: what was flushed is there; of each later write all, nothing or
some sectors are; and in the model `unit` the 4 MiB around one of these writes are garbage besides. The slot that is chosen
must have, byte for byte, the old release or the new one.

usage: cuts.py FOLDER [--states N] [--seconds S]
FOLDER holds base.img (the card before the update), writes (the log), and new.img (the slot that the update holds).
"""

import argparse
import collections
import mmap
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "rig/cuts"))
from cards import MODELS, SECTOR, Card  # noqa: E402
from choose import AT_ONCE, choose  # noqa: E402
from machine import read_log  # noqa: E402

LAYOUT = {name: (int(start) << 20, int(size) << 20) for name, start, size in
          (line.split() for line in (Path(__file__).resolve().parents[1] / "layout").read_text().splitlines()
           if line and line[0] != "#")}


class WorkingCard:
    """A card's file, which is brought from one state to the next by what differs."""

    def __init__(self, path, base):
        subprocess.run(["cp", "--sparse=always", base, path], check=True)
        self.path, self.position, self.touched = path, 0, []

    def bring(self, writes, current, cut, image):
        with open(self.path, "r+b", buffering=0) as file:
            def put(offset, data):
                file.seek(offset)
                file.write(data)

            for write in writes[self.position:cut.flushed]:
                put(write.offset, write.data)
            # The script may have written the state meanwhile.
            for offset, length in self.touched + [(LAYOUT[name][0], SECTOR) for name in ("state1", "state2")]:
                put(offset, current[offset:offset + length])
            self.position = cut.flushed
            self.touched = [(offset, len(data)) for offset, data in cut.pieces]
            for offset, data in cut.pieces:
                put(offset, data)
            if cut.garbage:
                noise = cut.garbage_bytes(image)
                put(cut.garbage[1], noise)
                self.touched.append((cut.garbage[1], len(noise)))

    def slot(self, name):
        start, length = LAYOUT[f"slot{name}"]
        with open(self.path, "rb") as file:
            file.seek(start)
            return file.read(length)


def place_of(offset):
    for name, (start, size) in LAYOUT.items():
        if start <= offset < start + size:
            return name
    return "data" if offset >= LAYOUT["data"][0] else "table"


def draw(card, model, writes, count):
    """`count` cuts that differ in a byte on the card, spread over the whole log."""
    cuts, known = [], set()
    for round_number in range(200):
        for index in range(1, len(writes) + 1):
            seed = f"{model} {index} {round_number}"
            cut = card.draw(model, index, seed)
            mark = cut and card.fingerprint(cut)
            if mark and mark not in known:
                known.add(mark)
                cuts.append(cut)
        if len(cuts) >= count:
            break
    cuts.sort(key=lambda cut: cut.index)
    step = max(1, len(cuts) / count)
    return [cuts[int(i * step)] for i in range(min(count, len(cuts)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--states", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    base = options.folder / "base.img"
    writes = read_log(options.folder / "writes")
    with open(base, "rb") as file:
        image = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    old = {name: image[start:start + size] for name, (start, size) in LAYOUT.items() if name.startswith("slot")}
    new = (options.folder / "new.img").read_bytes()
    card = Card(SimpleNamespace(writes=writes), image)
    places = collections.Counter(place_of(write.offset) for write in writes if len(write.data))
    print(f"{len(writes)} writes and flushes: {dict(places)}", flush=True)
    deadline, failures, total = time.monotonic() + options.seconds, [], 0
    with tempfile.TemporaryDirectory(prefix="fieldcorder-cuts-", dir="/dev/shm") as scratch:
        for model in MODELS:
            chosen, hit = collections.Counter(), collections.Counter()
            cuts = draw(card, model, writes, options.states // len(MODELS))
            working = [WorkingCard(f"{scratch}/{model}-{number}.img", base) for number in range(AT_ONCE)]
            current, position = bytearray(image), 0
            for first in range(0, len(cuts), AT_ONCE):
                batch = cuts[first:first + AT_ONCE]
                for each, cut in zip(working, batch):
                    for write in writes[position:cut.flushed]:
                        current[write.offset:write.offset + len(write.data)] = write.data
                    position = max(position, cut.flushed)
                    each.bring(writes, current, cut, image)
                answers = choose([each.path for each in working[:len(batch)]], Path(scratch) / "machine")
                for each, cut, (slot, tries, trial) in zip(working, batch, answers):
                    whole = slot and each.slot(slot) in (old[f"slot{slot}"], new)
                    release = "none" if not slot else "new" if each.slot(slot) == new else "old"
                    chosen[release] += 1
                    if cut.garbage:
                        hit[place_of(cut.garbage[1])] += 1
                    if not whole:
                        failures.append(f"{cut.seed}: slot '{slot}' was chosen, and is not whole")
                if time.monotonic() > deadline:
                    break
            for each in working:
                Path(each.path).unlink()
            done = sum(chosen.values())
            total += done
            print(f"{model:8} {done} states: {dict(chosen)}{f', garbage in {dict(hit)}' if hit else ''}", flush=True)
    for failure in failures[:10]:
        print("  " + failure)
    print(f"{total} states, {len(failures)} without a whole slot")
    sys.exit(bool(failures))


main()
