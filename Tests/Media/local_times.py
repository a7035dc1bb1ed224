"""Tells how far local time is from UTC, as Python's zoneinfo knows it.

usage: local_times.py SEED COUNT
Prints a line for each time zone of the system: its name, then COUNT pairs INSTANT,OFFSET of random instants and of both
sides of changes, from 1900 to 2400.
"""

import random
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

FOLDER = Path("/usr/share/zoneinfo")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
FIRST, LAST = -2208988800, 13569465600


def names():
    for path in sorted(FOLDER.rglob("*")):
        name = str(path.relative_to(FOLDER))
        # Leap seconds are refused, and the second copy of everything is the first.
        if name[0].isupper() and path.is_file() and path.read_bytes()[:4] == b"TZif":
            yield name


def offset(zone, instant):
    local = (EPOCH + timedelta(seconds=instant)).astimezone(zone)
    return int(local.utcoffset().total_seconds())


def changes(zone, generator, count):
    """Instants right before and at a change: searched for by halving a step across which the offset differs."""
    for _ in range(count):
        before = generator.randrange(FIRST, LAST)
        after = before + 180 * 86400
        if offset(zone, before) == offset(zone, after):
            continue
        while after - before > 1:
            middle = (before + after) // 2
            if offset(zone, middle) == offset(zone, before):
                before = middle
            else:
                after = middle
        yield before
        yield after


def main():
    generator = random.Random(int(sys.argv[1]))
    count = int(sys.argv[2])
    for name in names():
        zone = ZoneInfo(name)
        instants = [generator.randrange(FIRST, LAST) for _ in range(count)]
        instants += changes(zone, generator, count)
        print(name, *(f"{instant},{offset(zone, instant)}" for instant in instants))


main()
