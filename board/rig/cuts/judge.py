"""Compares what a boot found after a cut with what was promised before it."""

import subprocess
from pathlib import Path

from cards import UNIT
from takes import BYTES_LOST, SECONDS_LOST


class Layout:
    """What lies in each unit of the card."""

    def __init__(self, base, final, recording):
        self.parts = {}
        metadata = subprocess.run(["dumpe2fs", base], capture_output=True, text=True).stdout
        for line in metadata.splitlines():
            words = line.replace(",", " ").split()
            if "at" in words and ("table" in line or "bitmap" in line or "Primary" in line):
                for word in words:
                    ends = word.split("-")
                    if ends[0].isdigit() and ends[-1].isdigit():
                        self._add("metadata", range(int(ends[0]), int(ends[-1]) + 1))
        self._add("journal", self._blocks(base, "<8>"))
        folders = {"/"} | {"/" + str(parent) for path in recording.takes for parent in Path(path).parents}
        for folder in folders:
            self._add("folder", self._blocks(final, folder))
        for path in recording.takes:
            self._add(path, self._blocks(final, "/" + path))

    @staticmethod
    def _blocks(image, name):
        found = subprocess.run(["debugfs", "-R", f"blocks {name}", image], capture_output=True, text=True).stdout
        return [int(word) for word in found.split()]

    def _add(self, part, blocks):
        for unit in {block * 4096 // UNIT for block in blocks}:
            self.parts.setdefault(unit, set()).add(part)

    def held(self, offset, open_takes):
        """`metadata`, `journal`, `folder`, `older take` or `take`: the first of these that the unit held."""
        parts = self.parts.get(offset // UNIT, set())
        for part in ("metadata", "journal", "folder"):
            if part in parts:
                return part
        return "older take" if parts - open_takes else "take"


class Judge:
    """Compares what was found with what was promised."""

    def __init__(self, recording, model, layout):
        self.recording, self.model, self.layout = recording, model, layout

    def judge(self, cut, outcome):
        failures = [outcome.complaint] if outcome.complaint else []
        now = self.recording.time_of(cut.index)
        result = {"cut": cut.index, "seed": cut.seed, "seconds": 0.0, "bytes": 0}
        open_takes, lost = set(), set()
        for take in self.recording.takes.values():
            found = outcome.takes.get(take.path)
            if take.complete is not None and take.complete <= cut.index:
                if found is None or not found.is_same:
                    lost.add("older" if take.complete else "earlier")
                    failures.append(f"{take.path}, complete before the cut, is {self._state(found)}")
            else:
                open_takes.add(take.path)
                said = self._judge_open(take, found, take.due(now), now, result)
                if said:
                    lost.add("open")
                failures += said
        if cut.garbage:
            result["held"] = self.layout.held(cut.garbage[1], open_takes)
        result["failures"], result["lost"] = failures, sorted(lost)
        if failures:
            result["said"] = outcome.said
        return result

    @staticmethod
    def _state(found):
        return "unread" if found is None else "missing" if not found.is_there else "altered"

    def _judge_open(self, take, found, due, now, result):
        allowed = BYTES_LOST[self.model]
        if found is not None and found.is_same:
            return []
        if found is None or not found.streams:
            lost = take.byte_count(due)
            result["bytes"] = max(result["bytes"], lost)
            if due > 0:
                result["seconds"] = max(result["seconds"], SECONDS_LOST + due)
            refused = found is not None and found.is_there
            if lost > allowed or (refused and self.model == "flushes"):
                return [f"{take.path}: {'refused by ffprobe' if refused else self._state(found)}, {due:.1f} s were due"]
            return []
        kept = min((stream.seconds for stream in found.streams), default=0)
        if len(found.streams) < len(take.streams) and due > 0:
            kept = 0
        if due > 0:
            result["seconds"] = max(result["seconds"], min(take.seconds, now - take.begins) - kept)
        lost = found.wrong_bytes + (take.byte_count(due) - take.byte_count(kept) if kept < due else 0)
        result["bytes"] = max(result["bytes"], lost)
        failures = []
        if lost > allowed:
            failures.append(f"{take.path}: {kept:.3f} s kept, {due:.3f} s were due, {found.wrong_bytes} bytes are wrong")
        if found.complaint:
            failures.append(f"{take.path}: {found.complaint}")
        return failures
