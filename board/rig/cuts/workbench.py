"""Rebuilds the disk of a cut and does to it what the next boot does, without a mount."""

import hashlib
import mmap
import os
import shutil
import subprocess
from pathlib import Path

from takes import probe

# A small recorder that only repairs.
CONFIGURATION = """[record]
resume = no
arm = press
what = audio
preroll_seconds = 0
stall_seconds = 1
[library]
capacity = 100
[player]
queue_capacity = 10
"""
# One of this many different repaired takes is decoded from its first sample to its last.
DECODED_SHARE = 16


class Found:
    """What became of a take: `None` streams if it is missing or refused."""

    def __init__(self, is_there, is_same=False, streams=None, wrong_bytes=0, complaint=""):
        self.is_there, self.is_same, self.streams = is_there, is_same, streams
        self.wrong_bytes, self.complaint = wrong_bytes, complaint


class Outcome:
    def __init__(self, complaint="", takes=None, said=""):
        self.complaint, self.takes, self.said = complaint, takes or {}, said


class Workbench:
    def __init__(self, folder, base, log, recording, recorder):
        self.folder, self.log, self.recording = Path(folder), log, recording
        # Without the decoder program, which a repair does not need and which takes longer to start than the repair.
        self.recorder = shutil.copy(recorder, self.folder)
        self.base, self.position = base, None
        self.durable, self.image = self.folder / "durable.img", self.folder / "cut.img"
        self.tree = self.folder / "tree"
        self.configuration = self.folder / "configuration"
        self.configuration.write_text(CONFIGURATION)
        self.outcomes, self.found, self.decoded_count = {}, {}, 0

    def outcome(self, cut):
        """What the next boot finds, and what it leaves."""
        self._build(cut)
        self._run("e2fsck", "-fy", self.image, allowed=(0, 1))
        if self.complaint:
            return Outcome(self.complaint)
        shutil.rmtree(self.tree, ignore_errors=True)
        self.tree.mkdir()
        self._run("debugfs", "-R", f'rdump / "{self.tree}"', self.image)
        key = self._digest_of_tree()
        if key not in self.outcomes:
            self.outcomes[key] = self._repaired(key)
        return self.outcomes[key]

    def _build(self, cut):
        if self.position is None or cut.flushed < self.position:
            self.durable.unlink(missing_ok=True)
            make_same(self.durable, self.base)
            self.position = 0
        with open(self.durable, "r+b") as file:
            for write in self.log.writes[self.position : cut.flushed]:
                os.pwrite(file.fileno(), write.data, write.offset)
        self.position = cut.flushed
        make_same(self.image, self.durable)
        with open(self.image, "r+b") as file:
            for offset, data in cut.pieces:
                os.pwrite(file.fileno(), data, offset)
            if cut.garbage:
                with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
                    garbage = cut.garbage_bytes(image)
                os.pwrite(file.fileno(), garbage, cut.garbage[1])

    def _run(self, *command, allowed=(0,)):
        """The command's output; `complaint` says if it failed."""
        self.complaint = ""
        try:
            done = subprocess.run(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=120)
        except subprocess.TimeoutExpired:
            self.complaint = f"{command[0]} did not end within 120 s"
            return b""
        if done.returncode not in allowed:
            self.complaint = f"{Path(command[0]).name}: status {done.returncode}"
        return done.stdout

    def _digest_of_tree(self):
        """The same for trees of which a repair makes the same."""
        parts = []
        for path in sorted(self.tree.rglob("*")):
            name = str(path.relative_to(self.tree))
            if not path.is_file() or path.is_symlink():
                parts.append(name)
                continue
            data, take = path.read_bytes(), self.recording.takes.get(name)
            parts.append(f"{name} {'same' if take and take.data == data else hashlib.blake2b(data).hexdigest()}")
        return "\n".join(parts)

    def _repaired(self, key):
        said = subprocess.run(
            [self.recorder, "--board", "sim", "--clock", "fast", "--console", "stdio", "--data", str(self.tree),
             "--config", str(self.configuration)],
            input=b"quit\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        text = said.stdout.decode(errors="replace")
        complaint = "" if said.returncode == 0 else f"the recorder ended with status {said.returncode}: {text[-200:]}"
        takes = {name: self._find(take) for name, take in self.recording.takes.items()}
        lines = [line for line in text.splitlines() if "take " in line]
        return Outcome(complaint, takes, "; ".join(lines))

    def _find(self, take):
        path = self.tree / take.path
        if not path.is_file():
            return Found(is_there=False)
        data = path.read_bytes()
        if data == take.data:
            return Found(is_there=True, is_same=True, streams=take.streams)
        if take.path.endswith(".jpg"):
            return Found(is_there=True)
        key = take.path, hashlib.blake2b(data).digest()
        if key not in self.found:
            self.found[key] = self._judge_media(take, path, data)
        return self.found[key]

    def _judge_media(self, take, path, data):
        streams = probe(path)
        if not streams:
            return Found(is_there=True)
        wrong = sum(self._wrong_bytes(take, stream, data) for stream in streams)
        if all(stream.seconds == 0 for stream in streams):
            # The power failed before the first fragment was complete. There is nothing to decode; the judge weighs
            # that.
            return Found(is_there=True, streams=streams)
        self.decoded_count += 1
        complaint = self._decode(take, path) if self.decoded_count % DECODED_SHARE == 0 and not wrong else ""
        return Found(is_there=True, streams=streams, wrong_bytes=wrong, complaint=complaint)

    @staticmethod
    def _wrong_bytes(take, stream, data):
        """Media data of a stream that is not at its place in the file as it was recorded."""
        if stream.kind not in take.packets:
            return 0
        ranges = take.ranges(stream.kind, stream.seconds)
        if not ranges:
            return 0
        start, end = ranges[0][0], sum(ranges[-1])
        if data[start:end] == take.data[start:end]:
            return 0
        return sum(size for offset, size in ranges if data[offset : offset + size] != take.data[offset : offset + size])

    def _decode(self, take, path):
        """Decodes all of it, and compares what the tables lead to with the beginning of what was recorded."""
        media = self._media(path)
        complete = self._media(self.recording.data / take.path)
        for name, data in media.items():
            if not complete[name].startswith(data):
                return f"{name} is not what was recorded"
        decoded = subprocess.run(
            ["ffmpeg", "-v", "error", "-xerror", "-i", str(path), "-enc_time_base", "-1", "-f", "null", "-"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return decoded.stderr.decode(errors="replace")[:200]

    def _media(self, path):
        """The packets of each track, one after the other."""
        tracks = {}
        for name in ("a", "v"):
            copied = subprocess.run(
                ["ffmpeg", "-v", "error", "-i", str(path), "-map", f"0:{name}?", "-c", "copy", "-f", "data", "-"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            tracks[name] = copied.stdout
        return tracks


def extents(file):
    """What is not a hole in a file: begin and end, in order."""
    size, end = os.fstat(file.fileno()).st_size, 0
    while end < size:
        try:
            start = os.lseek(file.fileno(), end, os.SEEK_DATA)
        except OSError:  # only a hole follows
            return
        end = os.lseek(file.fileno(), start, os.SEEK_HOLE)
        yield start, end


def make_same(target, source):
    """Gives `target` the bytes of `source`. Memory that it has is written again: faster than to free and get it."""
    with open(source, "rb") as reader, open(target, "r+b" if target.exists() else "w+b") as writer:
        size = os.fstat(reader.fileno()).st_size
        writer.truncate(size)
        wanted = list(extents(reader))
        holes = zip([0] + [end for _, end in wanted], [start for start, _ in wanted] + [size])
        used = list(extents(writer))
        for start, end in holes:
            for place, limit in used:
                if place < end and limit > start:
                    length = min(end, limit) - max(start, place)
                    os.pwrite(writer.fileno(), bytes(length), max(start, place))
        if size == 0 or not wanted:
            return
        with mmap.mmap(reader.fileno(), 0, access=mmap.ACCESS_READ) as data:
            view = memoryview(data)
            for start, end in wanted:
                os.pwrite(writer.fileno(), view[start:end], start)
            view.release()
