"""What was recorded, and what of it was promised at each cut."""

import json
import re
import struct
import subprocess
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from pathlib import Path

SECONDS_LOST = 1.0
BYTES_LOST = {"flushes": 0, "unit": 8 << 20}


@dataclass
class Stream:
    kind: str
    seconds: float
    sample_rate: int


@dataclass
class Take:
    """A take or a still as it is when nothing went wrong."""

    path: str
    data: bytes
    complete: int = None  # the write before which its completion had been reported; 0 for one of an earlier boot
    begins: float = None  # the instant of its first sample
    begun: float = None  # when the button was pressed; its sound may be older
    streams: list = field(default_factory=list)
    frame_rate: int = 0  # of the sound
    packets: dict = field(default_factory=dict)  # by kind: (begin, end in seconds, offset, bytes), in order

    @property
    def seconds(self):
        return min((stream.seconds for stream in self.streams), default=0)

    def due(self, time):
        """How much of it has to be there if the power fails at `time`, in seconds of the take."""
        if self.begun is None or time < self.begun + SECONDS_LOST:
            return 0.0
        return min(self.seconds, max(0.0, time - SECONDS_LOST - self.begins))

    def ranges(self, kind, seconds):
        """Where the media data up to `seconds` lies in the file; sound in whole frames, also of the last packet."""
        ranges = []
        for begin, end, offset, size in self.packets[kind]:
            if begin >= seconds - 1e-6:
                break
            if kind == "audio" and end > seconds:
                size = round((seconds - begin) * self.frame_rate) * (size // round((end - begin) * self.frame_rate))
            ranges.append((offset, size))
        return ranges

    def byte_count(self, seconds):
        return sum(size for kind in self.packets for _, size in self.ranges(kind, seconds))


def probe(path, packets=False):
    """The streams that ffprobe finds; None if it refuses the file."""
    entries = "stream=index,codec_type,duration,sample_rate"
    if packets:
        entries += ":packet=stream_index,pts_time,duration_time,pos,size"
    command = ["ffprobe", "-v", "error", "-show_entries", entries, "-of", "json", str(path)]
    outcome = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
    if outcome.returncode != 0:
        return None
    found = json.loads(outcome.stdout)
    streams = [
        Stream(each["codec_type"], float(each.get("duration", 0)), int(each.get("sample_rate", 0)))
        for each in found.get("streams", [])
        if each["codec_type"] != "data"  # the timecode, behind the others, which a movie has only from its completion on
    ]
    if path.suffix == ".caf":
        for stream in streams:
            stream.seconds = caf_seconds(path.read_bytes())
    return (streams, found.get("packets", [])) if packets else streams


def caf_seconds(data):
    """ffprobe estimates a CAF's length from the file's size, and so counts the ledger behind the sound."""
    offset, rate, frame = 8, 1.0, 1
    while offset + 12 <= len(data):
        kind, size = data[offset : offset + 4], int.from_bytes(data[offset + 4 : offset + 12], "big", signed=True)
        if kind == b"desc":
            rate, frame = struct.unpack(">d", data[offset + 12 : offset + 20])[0], data[offset + 31]
        if kind == b"data":
            end = offset + 12 + size if size >= 0 else len(data)
            return max(min(end, len(data)) - offset - 16, 0) / frame / rate
        offset += 12 + max(size, 0)
    return 0.0


class Recording:
    """The takes of a log, and the times of its writes."""

    def __init__(self, folder, log):
        self.log = log
        self.data = Path(folder)
        self.takes = {}
        for path in sorted(self.data.rglob("*")):
            if path.is_file() and path.suffix in (".mov", ".aiff", ".caf", ".wav", ".jpg"):
                name = str(path.relative_to(self.data))
                self.takes[name] = Take(name, path.read_bytes())
        self.formats = []  # (first write, format)
        self._read_marks()
        self._times = [mark.time for mark in log.marks]
        self._indices = [mark.index for mark in log.marks]

    def probe(self):
        """Reads the takes with ffprobe."""
        for take in self.takes.values():
            if take.path.endswith(".jpg"):
                continue
            take.streams, packets = probe(self.data / take.path, packets=True)
            for number, stream in enumerate(take.streams):
                take.frame_rate = max(take.frame_rate, stream.sample_rate)
                take.packets[stream.kind] = sorted(
                    (float(each["pts_time"]), float(each["pts_time"]) + float(each.get("duration_time", 0)),
                     int(each["pos"]), int(each["size"]))
                    for each in packets if each["stream_index"] == number
                )
        self._place_in_time()

    def _read_marks(self):
        self._groups = []
        for mark in self.log.marks:
            for line in mark.lines:
                self._read(line, mark.index)
        begun = {take.path for _, _, takes in self._groups for take in takes}
        for take in self.takes.values():
            if take.complete is None and take.path not in begun:
                take.complete = 0

    def _read(self, line, index):
        note = re.match(r"([0-9.]+) (begin|end|format)(?: (\w+))?$", line)
        began = re.match(r"\* take (\S+) began", line)
        complete = re.match(r"\* take (\S+) is complete", line)
        still = re.match(r"(?:\* )?still (photo/\S+\.jpg),", line)
        if note and note[2] == "format":
            self.formats.append((index, note[3]))
        elif note and note[2] == "begin":
            self._groups.append([float(note[1]), None, []])
        elif note:
            self._groups[-1][1] = float(note[1])
        elif began:
            self._groups[-1][2].append(self.takes[began[1]])
        elif complete:
            self.takes[complete[1]].complete = index
        elif still:
            self.takes[still[1]].complete = index

    def _place_in_time(self):
        """A take ends with the press that ends it, so its beginning follows from its length."""
        for begun, ended, takes in self._groups:
            begins = ended - sum(take.seconds for take in takes)
            for take in takes:
                take.begun, take.begins = begun, begins
                begins += take.seconds

    def format_at(self, index):
        place = bisect_right([first for first, _ in self.formats], index - 1)
        return self.formats[place - 1][1] if place else "none"

    def time_of(self, index):
        """The last instant at which exactly the writes before `index` had been made, as far as the marks tell."""
        last, following = bisect_right(self._indices, index) - 1, bisect_left(self._indices, index)
        return max(self._times[last], self._times[min(following, len(self._times) - 1)])
