"""Makes sun_times.txt, by which SunTimesTests judges.

usage: sun_times.py > sun_times.txt
Needs the Python packages skyfield, skyfield-data and ephem. A line for each day and place: 12:00 by local mean time in
Unix seconds; latitude and longitude in degrees; then, in Unix seconds, astronomical, nautical and civil dawn, sunrise,
sunset, and civil, nautical and astronomical dusk. `+` and `-` stand for a sun that stays above or below that altitude, `?` for
one that comes within 0.01 degrees of it and turns back: the instant of such an event is not determined.

Skyfield with the ephemeris DE421, which ends in 2053, is the judge; after it, it is PyEphem, with VSOP87. To standard
error the script says how far the two differ until then.
"""

import datetime
import random
import sys
import warnings

warnings.filterwarnings("ignore")
import ephem
from skyfield import almanac
from skyfield.api import Loader, wgs84
from skyfield_data import get_skyfield_data_path

DAY = 86400
DEPTHS = {"astronomical": -18.0, "nautical": -12.0, "civil": -6.0, "rise": -50 / 60}
LAST_OF_SKYFIELD = 2052
MARGIN = 0.01

load = Loader(get_skyfield_data_path(), verbose=False)
planets = load("de421.bsp")
scale = load.timescale(builtin=True)
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class BySkyfield:
    def __init__(self, latitude, longitude):
        self.place = planets["earth"] + wgs84.latlon(latitude, longitude)

    def time(self, seconds):
        return scale.from_datetime(EPOCH + datetime.timedelta(seconds=seconds))

    def altitude(self, seconds):
        return self.place.at(self.time(seconds)).observe(planets["sun"]).apparent().altaz()[0].degrees

    def transit(self, noon):
        found = almanac.find_transits(self.place, planets["sun"], self.time(noon - 3600), self.time(noon + 3600))
        return (found[0].utc_datetime() - EPOCH).total_seconds()


class ByEphem:
    def __init__(self, latitude, longitude):
        self.observer = ephem.Observer()
        self.observer.lat, self.observer.lon = str(latitude), str(longitude)
        self.observer.pressure = 0
        self.sun = ephem.Sun()

    def at(self, seconds):
        self.observer.date = ephem.Date(EPOCH + datetime.timedelta(seconds=seconds))
        self.sun.compute(self.observer)

    def altitude(self, seconds):
        self.at(seconds)
        return self.sun.alt * 180 / ephem.pi

    def transit(self, noon):
        self.observer.date = ephem.Date(EPOCH + datetime.timedelta(seconds=noon - 3600))
        date = self.observer.next_transit(ephem.Sun())
        return (date.datetime().replace(tzinfo=datetime.timezone.utc) - EPOCH).total_seconds()


def event(judge, transit, depth, side):
    """The instant between the culmination and the one before or after it, by halving."""
    high, low = transit, transit + side * DAY / 2
    top, bottom = judge.altitude(high), judge.altitude(low)
    if min(abs(top - depth), abs(bottom - depth)) < MARGIN:
        return "?"
    if bottom > depth:
        return "+"
    if top < depth:
        return "-"
    while abs(high - low) > 0.2:
        middle = (high + low) / 2
        if judge.altitude(middle) > depth:
            high = middle
        else:
            low = middle
    return round((high + low) / 2)


def events(judge, noon):
    transit = judge.transit(noon)
    dawns = [event(judge, transit, depth, -1) for depth in DEPTHS.values()]
    dusks = [event(judge, transit, depth, +1) for depth in reversed(DEPTHS.values())]
    return dawns + dusks


def noon_of(date, longitude):
    noon = datetime.datetime(date.year, date.month, date.day, 12, tzinfo=datetime.timezone.utc)
    return round((noon - EPOCH).total_seconds() - longitude * 240)


def cases():
    generator = random.Random(27)
    for year in range(1980, 2081, 4):
        for month, day in ((3, 20), (6, 21), (9, 22), (12, 21)):
            yield datetime.date(year, month, day), generator.choice((-65, 65)), round(generator.uniform(-180, 180), 4)
    for _ in range(200):
        date = datetime.date(1980, 1, 1) + datetime.timedelta(days=generator.randrange(101 * 365))
        yield date, round(generator.uniform(-65, 65), 4), round(generator.uniform(-180, 180), 4)
    for month in range(1, 13):
        yield datetime.date(2026, month, 15), 78.2232, 15.6267


def main():
    most = 0
    for date, latitude, longitude in cases():
        noon = noon_of(date, longitude)
        other = events(ByEphem(latitude, longitude), noon)
        found = other
        if date.year <= LAST_OF_SKYFIELD:
            found = events(BySkyfield(latitude, longitude), noon)
            for a, b in zip(found, other):
                if isinstance(a, int) and isinstance(b, int):
                    most = max(most, abs(a - b))
        print(noon, latitude, longitude, *found)
    print(f"Skyfield and PyEphem differ by {most} s at most", file=sys.stderr)


main()
