"""What takes and summaries say, read without the recorder's own code."""

import csv
import os
import struct
from datetime import date, datetime, timezone


class Damaged(Exception):
    pass


def read_take(path):
    """From when to when a WAV was recorded, in Unix seconds, by its `bext` chunk and the length of its sound."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        form, length, kind = struct.unpack("<4sI4s", file.read(12))
        if form not in (b"RIFF", b"RF64") or kind != b"WAVE":
            raise Damaged(f"{path}: no WAV")
        if form == b"RIFF" and length + 8 != size:
            raise Damaged(f"{path}: {size} bytes, of which its header tells {length + 8}")
        rate = began = count = None
        while len(head := file.read(8)) == 8:
            name, length = struct.unpack("<4sI", head)
            place = file.tell()
            if name == b"fmt ":
                _, _, rate, _, frame, _ = struct.unpack("<HHIIHH", file.read(16))
            elif name == b"bext":
                text = file.read(346)
                day = datetime.strptime(text[320:330].decode(), "%Y-%m-%d").replace(tzinfo=timezone.utc)
                began = day.timestamp(), struct.unpack("<Q", text[338:346])[0], text[330:338].decode()
            elif name == b"data":
                if place + length > size:
                    raise Damaged(f"{path}: its sound is cut")
                count = length // frame
            file.seek(place + length + length % 2)
    if None in (rate, began, count):
        raise Damaged(f"{path}: a chunk is missing")
    seconds = began[1] / rate
    clock = datetime.fromtimestamp(began[0] + seconds, timezone.utc).strftime("%H:%M:%S")
    if clock != began[2]:
        raise Damaged(f"{path}: its time is {began[2]}, and by its samples {clock}")
    return began[0] + seconds, began[0] + seconds + count / rate


# In the order of `summary-today`, after what was scheduled, recorded, begun and lost, and the starts.
REASONS = ["recorder off", "asleep or clock set", "not armed", "card full", "take failed", "no microphone or camera"]
REASONS += ["power failing", "ended by a person", "schedule off", "quiet"]


def read_rows(folder):
    """The rows of `summary.csv` and of the present day: for each day a list of the seconds scheduled, those missed
    by reason, and the starts.
    """
    rows = {}
    path = folder / "summary.csv"
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                reasons = {}
                for part in filter(None, row["missed_seconds"].split("; ")):
                    name, _, seconds = part.rpartition(" ")
                    reasons[name] = int(seconds)
                scheduled = float(row["scheduled_hours"]) * 3600
                rows.setdefault(row["day"], []).append((scheduled, reasons, int(row["starts"])))
    lines = dict(line.split(" =") for line in (folder / "summary-today").read_text().splitlines())
    counts = [int(number) for number in lines["counts"].split()]
    missed = {name: count / 1000 for name, count in zip(REASONS, counts[5:]) if count}
    day = date.fromordinal(719163 + int(lines["day"].split()[0]))
    rows.setdefault(str(day), []).append((counts[0] / 1000, missed, counts[4]))
    return rows


def read_kept_until(folder):
    """Up to when `summary-today` accounts for the time, in Unix seconds; 0 if it does not say."""
    path = folder / "summary-today"
    lines = path.read_text().splitlines() if path.exists() else []
    return max((int(line[8:]) for line in lines if line.startswith("until = ")), default=0)
