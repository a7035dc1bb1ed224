"""What the card's real U-Boot script chooses after power cuts of an update.

QEMU recorded every write and flush of a machine that installed an update. A cut is drawn behind each of them, from a seed, in
the two models of a card that board/rig/cuts/cards.py describes: what was flushed is there; of each later write all, nothing or
some sectors are; and in the model `unit` the 4 MiB around one of these writes are garbage besides. The slot that is chosen
must have, byte for byte, the old release or the new one. What the script chooses is followed here in its own steps; U-Boot
itself chooses in every N-th group of ten states, and must come to the same.

usage: cuts.py FOLDER [--states N] [--real N]
FOLDER holds base.img (the card before the update), writes (the log), and new.img (the slot that the update holds). What was
found is left beside it, in `cuts`, for board/reliability/cuts.
"""

import argparse
import collections
import json
import mmap
import subprocess
import sys
import tempfile
import zlib
from bisect import bisect_right
from pathlib import Path
from types import SimpleNamespace

import numpy as np

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


def variables(block):
    """What a checksummed block of U-Boot holds; None when it is not whole."""
    if zlib.crc32(block[4:]) == int.from_bytes(block[:4], "little"):
        return dict(line.split("=", 1) for line in block[4:].split(b"\0\0", 1)[0].decode().split("\0") if line)
    return None


def expected(path):
    """What boot.cmd chooses of a card, in its own steps: slot, tries, trial."""
    with open(path, "rb") as file:
        def read(offset, length):
            file.seek(offset)
            return file.read(length)

        copies = [variables(read(LAYOUT[name][0], SECTOR)) for name in ("state1", "state2")]
        state = next((copy for copy in copies if copy is not None), {"slot": "A", "tries": "0"})
        slot, trial, tries, bad = (state.get(name, "") for name in ("slot", "trial", "tries", "bad"))
        order = "BA" if slot == "B" else "AB"
        if trial and int(tries or "0", 16) > 0:
            tries = f"{int(tries, 16) - 1:x}"
            order = trial + order
        for one in order:
            start = LAYOUT[f"slot{one}"][0]
            about = None if bad in (one, "AB") else variables(read(start, 4096))
            if about and all(
                    zlib.crc32(read(start + int(about[f"{part}start"], 16) * SECTOR, int(about[f"{part}size"], 16)))
                    == int.from_bytes(bytes.fromhex(about[f"{part}crc"]), "little") for part in "ki"):
                return one, tries, trial
    return "", tries, trial


def address(data):
    return np.frombuffer(data, np.uint8).ctypes.data


class FastCard(Card):
    """Tells cuts apart as `Card` does, with another sum: an update leaves tens of megabytes unflushed, and their sectors are
    many."""

    factors = np.random.default_rng(26).integers(1 << 63, size=SECTOR // 8, dtype=np.uint64) * np.uint64(2) + np.uint64(1)

    def __init__(self, log, base):
        super().__init__(log, base)
        self.initial = np.zeros(len(base) // SECTOR, np.uint64)
        # Of each write where its bytes are in memory, and the sums of its sectors: a piece is a part of one of them.
        self.addresses, self.known = [], []
        for write in self.writes:
            if not len(write.data):
                continue
            place = write.offset // SECTOR
            self.initial[place:place + len(write.data) // SECTOR] = self.sums(
                write.offset, base[write.offset:write.offset + len(write.data)])
            self.addresses.append(address(write.data))
            self.known.append(self.sums(write.offset, write.data))
        self.present = self.initial.copy()

    @classmethod
    def sums(cls, offset, data):
        words = np.frombuffer(data, "<u8").reshape(-1, SECTOR // 8)
        place = np.arange(offset // SECTOR, offset // SECTOR + len(words), dtype=np.uint64)
        found = (words * cls.factors).sum(axis=1, dtype=np.uint64) + place * np.uint64(0x9E3779B97F4A7C15)
        found = (found ^ found >> np.uint64(32)) * np.uint64(0xD6E8FEB86659FD93)
        return found ^ found >> np.uint64(29)

    def sums_of(self, data):
        number = bisect_right(self.addresses, address(data)) - 1
        first = (address(data) - self.addresses[number]) // SECTOR
        return self.known[number][first:first + len(data) // SECTOR]

    def fingerprint(self, cut):
        for write in self.writes[self.position:cut.flushed]:
            if len(write.data):
                place = write.offset // SECTOR
                sums = self.sums_of(write.data)
                self.sum += int((sums - self.present[place:place + len(sums)]).sum())
                self.present[place:place + len(sums)] = sums
        self.position = cut.flushed
        pieces = [(offset // SECTOR, self.sums_of(data)) for offset, data in cut.pieces if len(data)]
        sectors = np.concatenate([np.zeros(0, np.int64)] + [np.arange(place, place + len(sums)) for place, sums in pieces])
        sums = np.concatenate([np.zeros(0, np.uint64)] + [sums for _, sums in pieces])
        # Of two writes of a sector the later one counts.
        sectors, last = np.unique(sectors[::-1], return_index=True)
        sums = sums[::-1][last]
        change = sums - self.present[sectors]
        total = self.sum + int(change.sum())
        if cut.garbage is None:
            return total % (1 << 64)
        kind, start, length, _ = cut.garbage
        first, last = start // SECTOR, (start + length) // SECTOR
        total -= int((self.present[first:last] - self.initial[first:last]).sum())
        total -= int(change[(sectors >= first) & (sectors < last)].sum())
        return total % (1 << 64), kind, start, length


def draw(card, model, writes, count):
    """`count` cuts that differ in a byte on the card, spread over the whole log."""
    cuts, known = [], set()
    rounds = 1 + 2 * count // len(writes)
    for index in range(1, len(writes) + 1):
        for round_number in range(rounds):
            cut = card.draw(model, index, f"{model} {index} {round_number}")
            mark = cut and card.fingerprint(cut)
            if mark is not None and mark not in known:
                known.add(mark)
                cuts.append(cut)
    step = max(1, len(cuts) / count)
    return [cuts[int(i * step)] for i in range(min(count, len(cuts)))]


def whole_copies(path):
    """How many copies of the state are whole."""
    count = 0
    with open(path, "rb") as file:
        for name in ("state1", "state2"):
            file.seek(LAYOUT[name][0])
            count += variables(file.read(SECTOR)) is not None
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--states", type=int, default=2000)
    parser.add_argument("--real", type=int, default=1, metavar="N", help="U-Boot itself chooses in every N-th group of ten states")
    options = parser.parse_args()
    base = options.folder / "base.img"
    writes = read_log(options.folder / "writes")
    with open(base, "rb") as file:
        image = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    old = {name: image[start:start + size] for name, (start, size) in LAYOUT.items() if name.startswith("slot")}
    new = (options.folder / "new.img").read_bytes()
    card = FastCard(SimpleNamespace(writes=writes), image)
    places = collections.Counter(place_of(write.offset) for write in writes if len(write.data))
    print(f"{len(writes)} writes and flushes: {dict(places)}", flush=True)
    failures, rows, total = [], [], 0
    with tempfile.TemporaryDirectory(prefix="fieldcorder-cuts-", dir="/dev/shm") as scratch:
        for model in MODELS:
            chosen, hit, copies, trials = (collections.Counter() for _ in range(4))
            failed, real = len(failures), 0
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
                    copies[whole_copies(each.path)] += 1
                answers = [expected(each.path) for each in working[:len(batch)]]
                if first // AT_ONCE % options.real == 0:
                    chosen_there = choose([each.path for each in working[:len(batch)]], Path(scratch) / "machine")
                    real += len(batch)
                    failures += [f"{cut.seed}: U-Boot chose {there}, and not {here}"
                                 for cut, there, here in zip(batch, chosen_there, answers) if there != here]
                for each, cut, (slot, tries, trial) in zip(working, batch, answers):
                    held = slot and each.slot(slot)
                    whole = slot and held in (old[f"slot{slot}"], new)
                    release = "none" if not slot else "new" if held == new else "old"
                    chosen[release] += 1
                    trials[bool(tries)] += 1
                    if cut.garbage:
                        hit[place_of(cut.garbage[1])] += 1
                    if not whole:
                        failures.append(f"{cut.seed}: slot '{slot}' was chosen, and is not whole")
            for each in working:
                Path(each.path).unlink()
            done = sum(chosen.values())
            total += done
            row = {"model": model, "states": done, "real": real, "failed": len(failures) - failed, "old": chosen["old"], "new": chosen["new"],
                   "trial": trials[True], "whole": [copies[count] for count in (2, 1, 0)], "garbage": dict(hit)}
            print(json.dumps(row), flush=True)
            rows.append(json.dumps(row) + "\n")
    (options.folder.parent / "cuts").write_text("".join(rows))
    for failure in failures[:10]:
        print("  " + failure)
    print(f"{total} states, {len(failures)} without a whole slot")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
