"""When the rules of a schedule want a take, as docs/field.md describes them, without the recorder's own code.

Intervals are lists of (from, to) in Unix seconds, in order and apart.
"""

import math
import re
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

# Minutes after midnight for which an event of the sun counts when it is asked which of two comes first.
USUAL = {
    "astro-dawn": 270,
    "nautical-dawn": 300,
    "dawn": 330,
    "sunrise": 360,
    "sunset": 1080,
    "dusk": 1110,
    "nautical-dusk": 1140,
    "astro-dusk": 1170,
}
ALTITUDE = {"sunrise": -50 / 60, "sunset": -50 / 60, "dawn": -6, "dusk": -6}
ALTITUDE |= {"nautical-dawn": -12, "nautical-dusk": -12, "astro-dawn": -18, "astro-dusk": -18}
WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def union(intervals):
    joined = []
    for begin, end in sorted(intervals):
        if begin >= end:
            continue
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return joined


def both(first, second):
    """The seconds that are in each of two."""
    found, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        begin, end = max(first[i][0], second[j][0]), min(first[i][1], second[j][1])
        if begin < end:
            found.append((begin, end))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return found


def without(first, second):
    """The seconds of the first that are not in the second."""
    outside, place = [], -math.inf
    for begin, end in second:
        outside.append((place, begin))
        place = end
    return both(first, [*outside, (place, math.inf)])


def length(intervals):
    return sum(end - begin for begin, end in intervals)


def sun(seconds, latitude, longitude):
    """The sun's altitude and hour angle in degrees, by the formulas of Meeus for a hundredth of a degree."""
    days = seconds / 86400 + 2440587.5 - 2451545
    century = days / 36525
    mean = math.radians(357.52911 + 35999.05029 * century)
    centre = 1.914602 * math.sin(mean) + 0.019993 * math.sin(2 * mean) + 0.000289 * math.sin(3 * mean)
    node = math.radians(125.04 - 1934.136 * century)
    longitude_of_sun = math.radians(280.46646 + 36000.76983 * century + centre - 0.00569 - 0.00478 * math.sin(node))
    tilt = math.radians(23.439291 - 0.0130042 * century + 0.00256 * math.cos(node))
    ascension = math.atan2(math.cos(tilt) * math.sin(longitude_of_sun), math.cos(longitude_of_sun))
    declination = math.asin(math.sin(tilt) * math.sin(longitude_of_sun))
    angle = 280.46061837 + 360.98564736629 * days + longitude - math.degrees(ascension)
    angle = (angle + 180) % 360 - 180
    north = math.radians(latitude)
    height = math.sin(north) * math.sin(declination)
    height += math.cos(north) * math.cos(declination) * math.cos(math.radians(angle))
    return math.degrees(math.asin(height)), angle


class Place:
    """A time zone and a position."""

    def __init__(self, zone, latitude, longitude):
        self.zone, self.latitude, self.longitude = zone, latitude, longitude
        self.clock = ZoneInfo(zone)

    def instant(self, day, minutes):
        """The first instant at which the local clock shows a time, or a later one if it is set forward past it."""
        local = datetime(day.year, day.month, day.day) + timedelta(minutes=minutes)
        found = local.replace(tzinfo=self.clock)
        seconds = int(found.timestamp())
        if datetime.fromtimestamp(seconds, self.clock).replace(tzinfo=None) == local:
            return seconds
        # In the hour that is skipped: the first second after it.
        while datetime.fromtimestamp(seconds - 1, self.clock).replace(tzinfo=None) > local:
            seconds -= 1
        return seconds

    def event(self, name, day):
        noon = self.instant(day, 720)
        transit = noon
        for _ in range(4):
            transit -= sun(transit, self.latitude, self.longitude)[1] * 240
        high, low = transit, transit + (43200 if USUAL[name] > 720 else -43200)
        while abs(high - low) > 0.1:
            middle = (high + low) / 2
            if sun(middle, self.latitude, self.longitude)[0] > ALTITUDE[name]:
                high = middle
            else:
                low = middle
        return round((high + low) / 2)


class Rule:
    def __init__(self, text):
        words = text.split()
        self.begin, self.end = self.ends(words[0])
        self.duty = self.dates = None
        self.weekdays = set(range(7))
        for word in words[1:]:
            if "/" in word:
                self.duty = tuple(int(part) for part in word.split("/"))
            elif ".." in word:
                self.dates = word.split("..")
            else:
                self.weekdays = self.days(word)

    @staticmethod
    def ends(window):
        begin, end = window.split("..") if ".." in window else window.split("-")
        return Rule.time(begin), Rule.time(end)

    @staticmethod
    def time(text):
        """An event or None, and minutes after it or after midnight."""
        if found := re.fullmatch(r"(\d\d):(\d\d)", text):
            return None, int(found[1]) * 60 + int(found[2])
        found = re.fullmatch(r"([a-z]+(?:-[a-z]+)?)(?:([+-])(?:(\d+)h)?(?:(\d+)m)?)?", text)
        minutes = int(found[3] or 0) * 60 + int(found[4] or 0)
        return found[1], -minutes if found[2] == "-" else minutes

    @staticmethod
    def days(word):
        found = set()
        for part in word.split(","):
            first, _, last = part.partition("-")
            begin, end = WEEKDAYS.index(first), WEEKDAYS.index(last or first)
            found |= {(begin + step) % 7 for step in range((end - begin) % 7 + 1)}
        return found

    def applies(self, day):
        if day.weekday() not in self.weekdays:
            return False
        if self.dates is None:
            return True
        first, last = self.dates
        shown = day.isoformat() if len(first) == 10 else day.isoformat()[5:]
        return first <= shown <= last if first <= last else shown >= first or shown <= last

    def window(self, day, place):
        if not self.applies(day):
            return None
        usual = [USUAL.get(event, 0) + minutes for event, minutes in (self.begin, self.end)]
        last = day + timedelta(days=1) if usual[1] < usual[0] else day
        begin, end = (self.instant(time, on, place) for time, on in ((self.begin, day), (self.end, last)))
        return (begin, end) if end - begin >= 60 else None

    @staticmethod
    def instant(time, day, place):
        event, minutes = time
        return place.instant(day, minutes) if event is None else place.event(event, day) + minutes * 60

    def intervals(self, day, place):
        window = self.window(day, place)
        if window is None:
            return []
        if self.duty is None:
            return [window]
        on, period = self.duty
        return [(begin, min(begin + on, window[1])) for begin in range(window[0], window[1], period)]


def scheduled(rules, quiet, place, begin, end):
    """What the rules want from one instant to another, and the edges that depend on the sun."""
    day = date.fromtimestamp(begin) - timedelta(days=3)
    last = date.fromtimestamp(end) + timedelta(days=2)
    wanted, silent, edges = [], [], []
    while day <= last:
        for rule in rules:
            found = rule.intervals(day, place)
            wanted += found
            if rule.begin[0] or rule.end[0]:
                edges += [at for interval in found for at in interval]
        if quiet:
            silent += quiet.intervals(day, place)
        day += timedelta(days=1)
    return both(without(union(wanted), union(silent)), [(begin, end)]), sorted(edges)


def utc(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
