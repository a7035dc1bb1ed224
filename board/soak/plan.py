"""What happens to the recorder, drawn from a seed: its rules, and the stretches from one start of it to the next."""

import random
from dataclasses import dataclass, field
from datetime import datetime, timezone

from rules import Place, Rule, scheduled

HOUR, DAY = 3600, 86400
# The clocks of all are set forward on 2026-03-29 and back on 2026-10-25, at 01:00 UTC.
PLACES = [("Europe/Berlin", 52.52, 13.41), ("Europe/Lisbon", 38.72, -9.14), ("Europe/Athens", 37.98, 23.73)]
KINDS = ["plain", "faults", "battery", "lost clock", "full card", "trigger", "person", "plain", "faults", "lost clock"]
# So long a stretch lasts, in hours. The devices stay open in one with a trigger, and an hour of it takes two seconds.
HOURS = {"plain": (40, 84), "faults": (30, 60), "trigger": (5, 8), "full card": (8, 12)}
COMMON = """
[record]
what = audio
[audio]
sample_rate = 8000
channels = 1
format = s16
[accelerometer]
bus = none
[library]
rescan_seconds = 0
"""


@dataclass
class Stretch:
    kind: str
    begin: int
    # When it is to end, in Unix seconds.
    end: int
    # Whether the program is killed there, or told to quit.
    killed: bool
    # How long the recorder is off then, in seconds.
    off: int
    settings: dict = field(default_factory=dict)
    # Commands with their time in seconds after the start.
    commands: list = field(default_factory=list)
    # What a person did, as (from, to) in Unix seconds: nothing is missed for another reason there.
    persons: list = field(default_factory=list)
    # When the clock became right, in Unix seconds.
    clock_set: int = 0


class Plan:
    def __init__(self, seed, weeks):
        self.dice = dice = random.Random(seed)
        month, day = ((3, 2), (10, 5))[seed % 2 == 0]
        if weeks < 5:
            month, day = ((3, 27), (10, 23))[seed % 2 == 0]
        self.begin = int(datetime(2026, month, day, 9, tzinfo=timezone.utc).timestamp())
        self.end = self.begin + round(weeks * 7 * DAY)
        # The kinds follow each other in another order each time all have been.
        self.kinds = []
        self.place = Place(*dice.choice(PLACES))
        self.lines = self.draw_rules()
        self.rules = [Rule(line) for name, line in self.lines.items() if name != "quiet"]
        self.quiet = Rule(self.lines["quiet"])

    def draw_rules(self):
        draw = self.dice.randint
        minute = f"{draw(0, 59):02}"
        return {
            "rule1": f"sunrise-{draw(5, 30)}m..sunrise+{draw(5, 25)}m",
            "rule2": f"00:00-24:00 {draw(8, 25)}/{draw(900, 2400)}",
            # In the hour that is skipped, or comes twice.
            "rule3": f"02:{draw(5, 55):02}-03:{draw(5, 55):02} sun",
            "rule4": f"22:{minute}..00:{draw(10, 59)} 10/{draw(60, 180)} fri-sun",
            "rule5": f"dusk-{draw(5, 20)}m..nautical-dusk {draw(20, 60)}/300 mon,wed-fri 03-10..11-05",
            "rule6": f"{draw(8, 11):02}:{minute}-14:{minute} 20/{draw(200, 400)} tue,thu",
            "quiet": f"12:{draw(0, 30):02}-13:{minute}",
        }

    def next(self, begin):
        """The next stretch, which begins at an instant."""
        if not self.kinds:
            self.kinds = self.dice.sample(KINDS, len(KINDS))
        kind = self.kinds.pop()
        short, long = HOURS.get(kind, (20, 44))
        scale = min(1, (self.end - self.begin) / (21 * DAY))
        seconds = round(self.dice.uniform(short, long) * HOUR * (1 if kind in ("trigger", "full card") else scale))
        killed = self.dice.random() < 0.6
        off = round(self.dice.triangular(900, 8 * HOUR, 1800))
        end = begin + max(seconds, 3 * HOUR)
        # The last one ends in order, so that all takes are complete and all time is told.
        if end > self.end - DAY / 2:
            end, killed = self.end, False
        stretch = Stretch(kind, begin, end, killed, off)
        if stretch.killed and self.dice.random() < 0.6:
            self.end_in_window(stretch)
        getattr(self, kind.replace(" ", "_"))(stretch)
        return stretch

    def windows(self, stretch):
        """The windows of a stretch that are longer than a quarter of an hour."""
        wanted, _ = scheduled(self.rules, self.quiet, self.place, stretch.begin, stretch.end)
        return [window for window in wanted if window[1] - window[0] > 900]

    def end_in_window(self, stretch):
        windows = self.windows(stretch)
        if windows and windows[-1][1] - 600 > stretch.begin + 2 * HOUR:
            stretch.end = windows[-1][0] + self.dice.randint(60, 500)

    def plain(self, stretch):
        pass

    def faults(self, stretch):
        stretch.settings["sim"] = {"fault_period_seconds": self.dice.randint(1200, 3600)}

    def battery(self, stretch):
        hours = (stretch.end - stretch.begin) / HOUR
        empty = self.dice.uniform(0.3, 0.6)
        fall = round((3.9 - 3.3) / (empty * hours), 3)
        stretch.settings["sim"] = {"battery": "max17048", "battery_volts": 3.9, "battery_fall": fall}
        stretch.settings["power"] = {"warn_volts": 3.5, "finish_volts": 3.3}
        stretch.commands.append((round(self.dice.uniform(0.65, 0.9) * hours * HOUR), "battery 4.2"))

    def lost_clock(self, stretch):
        seconds = self.dice.randint(1200, 2 * HOUR)
        stretch.settings["sim"] = {"clock": 1970, "clock_set_seconds": seconds}
        stretch.clock_set = stretch.begin + seconds

    def full_card(self, stretch):
        stretch.settings["full"] = self.dice.randint(6, 20) * 1_000_000

    def trigger(self, stretch):
        longest, pause = self.dice.randint(60, 300), self.dice.randint(60, 900)
        # The simulated microphone hears a click each second.
        stretch.settings["record"] = {"arm": "boot", "preroll_seconds": 3}
        stretch.settings["trigger"] = {"on": "level", "when": "scheduled", "start_db": -30, "stop_db": -36}
        stretch.settings["trigger"] |= {"longest_seconds": longest, "rearm_seconds": pause, "hold_seconds": 2}

    def person(self, stretch):
        windows = self.windows(stretch)
        stop, end = None, None
        if windows and self.dice.random() < 0.9:
            begin, end = self.dice.choice(windows)
            stop = begin + self.dice.randint(60, 300)
        off = stretch.begin + self.dice.randint(1000, 9000)
        on = off + 5400
        stretch.commands += [(off - stretch.begin, "schedule off"), (on - stretch.begin, "schedule on")]
        stretch.persons.append((off, on))
        # While the schedule is off there is no take to stop; the one that it begins when it is on again needs a moment.
        if stop and stop < stretch.end - 1000 and not off <= stop <= on + 60:
            stretch.commands.append((stop - stretch.begin, "record stop"))
            stretch.persons.append((stop, end))

    def configuration(self, stretch, free):
        """The configuration file of a stretch, on a card with so many free bytes."""
        sections = {
            "record": {"arm": "press"},
            "clock": {"utc_offset": self.place.zone},
            "schedule": {"latitude": self.place.latitude, "longitude": self.place.longitude, **self.lines},
            "sim": {"start_seconds": stretch.begin, "microphone_ppm": self.dice.randint(-50, 50)},
        }
        for name, values in stretch.settings.items():
            if name == "full":
                sections["storage"] = {"reserve_bytes": free - values}
            else:
                sections.setdefault(name, {}).update(values)
        # The keys of a section may be told twice, in two places.
        text = COMMON
        for name, values in sections.items():
            text += f"\n[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in values.items())
        return text
