"""What a card can hold after its power was cut: the two models that docs/reliability.md publishes.

A cut lies behind a write of the log. What was flushed before it is on the card. Of each write since then all, nothing or
some sectors are on it, drawn from a seed; a sector of 512 bytes is there or not.

 1. flushes: nothing else happens.
 2. unit: besides, the card was writing one of these writes, and the aligned 4 MiB around it turn to garbage, all of them
    or those before or behind a point: noise, zeros, ones, or what stands elsewhere on the card.
"""

import hashlib
import random
from bisect import bisect_left
from dataclasses import dataclass

from writelog import SECTOR

UNIT = 4 << 20
MODELS = ("flushes", "unit")
GARBAGE = ("noise", "zeros", "ones", "stale")


@dataclass
class Cut:
    """A cut behind `writes[index - 1]`: what of the writes since the last flush is on the card."""

    index: int
    flushed: int
    pieces: list  # (offset, bytes)
    garbage: tuple = None  # (kind, offset, length, seed)
    seed: str = ""

    def garbage_bytes(self, image):
        kind, offset, length, seed = self.garbage
        if kind == "noise":
            return random.Random(seed).randbytes(length)
        if kind != "stale":
            return (b"\0" if kind == "zeros" else b"\xff") * length
        # The same offset in another unit that was in use.
        other = random.Random(seed).randrange(12) * UNIT
        return image[other + offset % UNIT : other + offset % UNIT + length].ljust(length, b"\xff")


class Card:
    """Draws cuts, and tells which of them leave the same bytes on the card."""

    def __init__(self, log, base):
        self.writes, self.base = log.writes, base
        self.flushes = [i for i, write in enumerate(log.writes) if write.is_flush]
        self.digests, self.sum, self.position = {}, 0, 0

    def flushed_before(self, index):
        """How many writes were flushed before the cut."""
        place = bisect_left(self.flushes, index)
        return self.flushes[place - 1] + 1 if place else 0

    def draw(self, model, index, seed):
        chance = random.Random(seed)
        flushed = self.flushed_before(index)
        pending = [write for write in self.writes[flushed:index] if len(write.data)]
        pieces = []
        for number, write in enumerate(pending):
            pieces += self._part(write, chance, is_last=number == len(pending) - 1)
        cut = Cut(index, flushed, pieces, seed=seed)
        if model == "unit":
            if not pending:
                return None
            cut.garbage = self._garbage(chance.choice(pending), chance)
        return cut

    def _part(self, write, chance, is_last):
        """What of a write is on the card: mostly all or nothing of those before the last."""
        fate = chance.random()
        sectors = len(write.data) // SECTOR
        if fate < (0.2 if is_last else 0.35):
            return []
        if fate < (0.4 if is_last else 0.8):
            return [(write.offset, write.data)]
        if fate < 0.7 or sectors < 2:  # in order, up to a sector
            return [(write.offset, write.data[: chance.randrange(sectors + 1) * SECTOR])]
        if fate < 0.9:  # two halves, in the other order
            start = chance.randrange(sectors) * SECTOR
            return [(write.offset + start, write.data[start:])]
        some = [n for n in range(sectors) if chance.random() < 0.5]
        return [(write.offset + n * SECTOR, write.data[n * SECTOR : (n + 1) * SECTOR]) for n in some]

    def _garbage(self, write, chance):
        end = min(write.offset + chance.randrange(len(write.data)), len(self.base) - 1)
        start, length = end // UNIT * UNIT, UNIT
        point = chance.randrange(1, 64) * (UNIT // 64)
        extent = chance.choice(("all", "all", "behind", "before"))
        if extent == "behind":
            start, length = start + point, UNIT - point
        elif extent == "before":
            length = point
        return chance.choice(GARBAGE), start, length, f"{chance.random()}"

    def fingerprint(self, cut):
        """The same for cuts that leave the same bytes; garbage counts by kind and place, so that two noises are one."""
        self._advance(cut.flushed)
        changes = {}
        for offset, data in cut.pieces:
            for place in range(0, len(data), SECTOR):
                changes[(offset + place) // SECTOR] = self._digest((offset + place) // SECTOR, data[place : place + SECTOR])
        total = self.sum + sum(new - self._present(sector) for sector, new in changes.items())
        if cut.garbage is None:
            return f"{total & (1 << 128) - 1:032x}"
        kind, start, length, _ = cut.garbage
        for sector in range(start // SECTOR, (start + length) // SECTOR):
            if sector in changes:
                total -= changes[sector] - self._initial(sector)
            elif sector in self.digests:
                total -= self.digests[sector] - self._initial(sector)
        return f"{total & (1 << 128) - 1:032x} {kind} {start} {length}"

    def _advance(self, flushed):
        if flushed < self.position:
            self.digests, self.sum, self.position = {}, 0, 0
        for write in self.writes[self.position : flushed]:
            for place in range(0, len(write.data), SECTOR):
                sector = (write.offset + place) // SECTOR
                new = self._digest(sector, write.data[place : place + SECTOR])
                self.sum += new - self._present(sector)
                self.digests[sector] = new
        self.position = flushed

    def _present(self, sector):
        return self.digests[sector] if sector in self.digests else self._initial(sector)

    def _initial(self, sector):
        return self._digest(sector, self.base[sector * SECTOR : (sector + 1) * SECTOR])

    @staticmethod
    def _digest(sector, data):
        return int.from_bytes(hashlib.blake2b(data, digest_size=16, salt=sector.to_bytes(8, "little")).digest(), "little")
