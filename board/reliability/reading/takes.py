"""Takes as the recorder makes them, and where the sound lies in their files."""

import json
import os
import shutil
import signal
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy

RATE = 48_000
CONTAINERS = ("mov", "wav", "aiff", "caf")
SAMPLES = {"16": ("s16", 2), "24": ("s24", 3), "float": ("float", 4)}
CHANNELS = (1, 2, 8)
BIG_SECONDS_SPARE = 20
AUDIO_HEADER = 1024


@dataclass
class Take:
    """A file, what it should say, and where its sound lies."""

    path: Path
    container: str
    sample: str
    channels: int
    kind: str
    told_frames: int = 0  # what the recorder had told last; 0 if it has told the end
    pieces: list = field(default_factory=list)  # (offset, bytes) of sound, in order
    is_big_endian: bool = False
    peer: Path = None  # a file with the same sound that readers open instead

    @property
    def opened(self):
        return self.peer or self.path

    @property
    def sample_bytes(self):
        return SAMPLES[self.sample][1]

    @property
    def frame_bytes(self):
        return self.sample_bytes * self.channels

    @property
    def frames(self):
        return sum(size for _, size in self.pieces) // self.frame_bytes

    @property
    def is_open(self):
        return self.kind == "killed"

    def sound(self, start, size):
        """The bytes `start` to `start + size` of the sound, little-endian."""
        found, position = bytearray(), 0
        with open(self.path, "rb") as file:
            for offset, length in self.pieces:
                first, last = max(start - position, 0), min(start + size - position, length)
                if first < last:
                    file.seek(offset + first)
                    found += file.read(last - first)
                position += length
                if position >= start + size:
                    break
        if not self.is_big_endian:
            return bytes(found)
        whole = len(found) - len(found) % self.sample_bytes
        return numpy.frombuffer(found[:whole], "u1").reshape(-1, self.sample_bytes)[:, ::-1].tobytes()


def find_sound(take):
    """Finds the sound by the file's own tables, which are small enough to be read by hand."""
    take.is_big_endian = take.container == "aiff"
    size = take.path.stat().st_size
    with open(take.path, "rb") as file:
        header = file.read(AUDIO_HEADER)
        if take.container == "mov":
            take.pieces, take.is_big_endian = movie_pieces(file, size)
            return take
    if take.container == "wav":
        (length,) = struct.unpack("<I", header[-4:])
        if length == 0xFFFF_FFFF:
            (length,) = struct.unpack("<Q", header[28:36])
    elif take.container == "aiff":
        length = struct.unpack(">I", header[-12:-8])[0] - 8
    else:
        length = struct.unpack(">q", header[-12:-4])[0] - 4
    if length < 0 or take.is_open:
        length = size - AUDIO_HEADER
    take.pieces = [(AUDIO_HEADER, length - length % take.frame_bytes)]
    return take


def boxes(file, start, end):
    """(type, start of the content, end) of the boxes between two offsets."""
    while start + 8 <= end:
        file.seek(start)
        length, kind = struct.unpack(">I4s", file.read(8))
        head = 8
        if length == 1:
            (length,) = struct.unpack(">Q", file.read(8))
            head = 16
        if length < head:
            return
        yield kind.decode("latin1"), start + head, min(start + length, end)
        start += length


def inside(file, path, start, end):
    """The content of the boxes that a path of types leads to."""
    for kind, first, last in boxes(file, start, end):
        if kind == path[0]:
            if len(path) == 1:
                yield first, last
            else:
                yield from inside(file, path[1:], first, last)


def content(file, place):
    file.seek(place[0])
    return file.read(place[1] - place[0])


def movie_pieces(file, size):
    """The pieces of a movie's sound, whether it is finished or grows; and whether they are big-endian."""
    movies = list(inside(file, ["moov"], 0, size))
    for track in inside(file, ["trak"], *movies[-1]):
        media = content(file, next(inside(file, ["mdia", "hdlr"], *track)))
        if media[8:12] != b"soun":
            continue
        (number,) = struct.unpack(">I", content(file, next(inside(file, ["tkhd"], *track)))[12:16])
        table = next(inside(file, ["mdia", "minf", "stbl"], *track))
        description = content(file, next(inside(file, ["stsd"], *table)))
        # fl32 is big-endian unless an atom says otherwise, which ours does only for in24.
        is_big_endian = description[12:16] == b"fl32"
        pieces = finished_pieces(file, table) or growing_pieces(file, size, number)
        return pieces, is_big_endian
    return [], False


def finished_pieces(file, table):
    sizes = struct.unpack(">II", content(file, next(inside(file, ["stsz"], *table)))[4:12])
    runs = content(file, next(inside(file, ["stsc"], *table)))[8:]
    runs = [struct.unpack(">III", runs[at : at + 12]) for at in range(0, len(runs), 12)]
    narrow = next(inside(file, ["stco"], *table), None)
    entries = content(file, narrow or next(inside(file, ["co64"], *table)))[8:]
    offsets = numpy.frombuffer(entries, ">u4" if narrow else ">u8").tolist()
    pieces = []
    for index, (first, samples, _) in enumerate(runs):
        last = runs[index + 1][0] if index + 1 < len(runs) else len(offsets) + 1
        pieces += [(offset, samples * sizes[0]) for offset in offsets[first - 1 : last - 1]]
    return pieces


def growing_pieces(file, size, number):
    pieces = []
    for start, end in inside(file, ["moof"], 0, size):
        for track in inside(file, ["traf"], start, end):
            head = content(file, next(inside(file, ["tfhd"], *track)))
            if struct.unpack(">I", head[4:8])[0] != number:
                continue
            run = content(file, next(inside(file, ["trun"], *track)))
            count, offset = struct.unpack(">II", run[4:12])
            length = sum(struct.unpack(">I", run[16 + 8 * at : 20 + 8 * at])[0] for at in range(count))
            pieces.append((start - 8 + offset, length))
    return pieces


class Recorder:
    """Makes takes below a folder."""

    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)

    def configuration(self, container, sample, channels):
        what = "video" if container == "mov" else f"audio\naudio_format = {container}"
        return (
            f"[record]\nwhat = {what}\npreroll_seconds = 0\nresume = no\nstall_seconds = 2\n"
            f"[audio]\nsample_rate = {RATE}\nchannels = {channels}\nformat = {SAMPLES[sample][0]}\n"
            "[video]\nwidth = 160\nheight = 120\nframe_rate = 5\nquality = 20\n"
        )

    def run(self, data, commands, **options):
        command = [self.program, "--board", "sim", "--config", f"{data}.conf", "--data", data, "--console", "stdio"]
        return subprocess.Popen(
            command + ["--clock", "fast"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options
        )

    def make(self, container, sample, channels, kind):
        """A take of the kind `short`, `3 minutes`, `over 4 GiB`, `killed` or `repaired`."""
        data = str(self.folder / f"{container}-{sample}-{channels}-{kind.replace(' ', '-')}")
        shutil.rmtree(data, ignore_errors=True)
        Path(f"{data}.conf").write_text(self.configuration(container, sample, channels))
        told = 0
        if kind in ("killed", "repaired"):
            told = self.kill(data)
            if kind == "repaired":
                self.record(data, ["wait 1"])
        else:
            seconds = {"short": 3, "3 minutes": 180}.get(kind)
            if seconds is None:
                seconds = (1 << 32) // (RATE * channels * SAMPLES[sample][1]) + BIG_SECONDS_SPARE
            self.record(data, ["record start", f"wait {seconds}", "record stop", "wait 1"])
        files = sorted(Path(data).glob(f"*/*/*.{container}"))
        if not files:
            raise RuntimeError(f"{data}: the recorder made no {container}")
        return find_sound(Take(files[0], container, sample, channels, kind, told))

    def record(self, data, commands):
        process = self.run(data, commands)
        output, _ = process.communicate("\n".join([*commands, "quit"]) + "\n")
        if process.returncode != 0 or "error" in output:
            raise RuntimeError(f"{data}: the recorder ended with {process.returncode}: {output}")

    def kill(self, data):
        process = self.run(data, [])
        process.stdin.write("record start\nwait 4.3\nstatus json\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("{"):
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                return json.loads(line)["audio_frames"]
        raise RuntimeError(f"{data}: the recorder told no status")

    def forget(self, take):
        shutil.rmtree(take.path.parents[2], ignore_errors=True)
