"""Compares what the rules want, what the takes hold, and what the summary tells."""

from collections import Counter
from datetime import date

from plan import DAY, HOUR
from rules import both, length, scheduled, union, utc, without
from takes import read_rows

# A take begins when the devices are open, and the summary looks once a second.
EDGE = 1
# How far the two calculations of the sun may be apart.
SUN = 5
# No drawn fault lasts longer.
FAULT = 10
# How long the present day may not have been kept when the program is killed.
KEPT = 600
# While the clock is not set, by the clock since the start of the machine, which begins at 100 s.
UNSET_ON, UNSET_PERIOD, BOOT = 60, 300, 100
# The reasons that may be told because of what happened; openings cost each take a moment.
REASONS = {
    "faults": {"card full", "take failed", "no microphone or camera", "not armed", "ended by a person"},
    "battery": {"power failing"},
    "full card": {"card full"},
    "trigger": {"quiet"},
    "person": {"ended by a person", "schedule off"},
}


def unset_duty(begin, end):
    first = begin - BOOT
    return both([(at, at + UNSET_ON) for at in range(first, end, UNSET_PERIOD)], [(begin, end)])


class Judge:
    def __init__(self, plan):
        self.plan = plan
        self.stretches = []
        self.faults = []

    def add(self, stretch, kept, following):
        """After a stretch: up to when the summary was kept, and when the next start is."""
        self.stretches.append((stretch, kept, following))

    def fail(self, text):
        self.faults.append(text)
        print(f"FAULT: {text}")

    def prepare(self, takes):
        rules, sun = scheduled(self.plan.rules, self.plan.quiet, self.plan.place, self.plan.begin, self.plan.end)
        unset = [(s.begin, s.clock_set) for s, _, _ in self.stretches if s.clock_set]
        duty = [part for begin, end in unset for part in unset_duty(begin, end)]
        self.sun = sun
        self.wanted = union([*without(rules, unset), *duty])
        self.recorded = union(takes)
        self.uncovered = without(self.wanted, self.recorded)
        # What was recorded before the kill, but after the summary was last kept, is told as the recorder being off.
        self.down = union((s.end, following) for s, _, following in self.stretches if following > s.end)
        self.causes = {}
        for stretch, _, _ in self.stretches:
            spans = stretch.persons if stretch.kind == "person" else [(stretch.begin, stretch.end + 1)]
            if stretch.kind in REASONS:
                self.causes[stretch.kind] = union([*self.causes.get(stretch.kind, []), *spans])

    def check_gaps(self):
        """Nothing may be missing for which nothing had happened."""
        causes = union([*self.down, *(span for spans in self.causes.values() for span in spans)])
        for begin, end in without(self.uncovered, causes):
            margin = 2 * EDGE + (SUN if any(abs(edge - at) < SUN for edge in self.sun for at in (begin, end)) else 0)
            # After a start the first look at the rules, and the opening of the devices.
            if end - begin > margin:
                self.fail(f"{end - begin:.1f} s from {utc(begin)} are in no take, and nothing had happened")

    def check_strays(self, takes):
        """Nothing may be recorded that nobody wanted, and nothing twice."""
        wide = union((begin - 2, end + 2) for begin, end in self.wanted)
        allowed = [*wide, *self.causes.get("trigger", []), *self.causes.get("faults", [])]
        near_sun = [(edge - SUN - 2, edge + SUN + 2) for edge in self.sun]
        for begin, end in without(self.recorded, union([*allowed, *near_sun])):
            self.fail(f"{end - begin:.1f} s from {utc(begin)} are in a take, though no rule wanted it")
        twice = sum(end - begin for begin, end in takes) - length(self.recorded)
        if twice > EDGE * len(self.stretches):
            self.fail(f"{twice:.1f} s are in two takes")

    def groups(self):
        """Days whose rows are compared together: until the clock is set, time counts in the row of the day before."""
        first, last = self.plan.begin // DAY, (self.plan.end - 1) // DAY
        joined = set()
        for (_, kept, _), (stretch, _, _) in zip(self.stretches, self.stretches[1:]):
            if stretch.clock_set:
                joined |= set(range(kept // DAY, stretch.clock_set // DAY))
        begin = first
        for day in range(first, last + 1):
            if day not in joined:
                yield begin, day + 1
                begin = day + 1

    def compare(self, begin, end, rows):
        """The days from one to another: what is wanted, recorded, missed and told, in seconds, and why."""
        span = [(begin * DAY, end * DAY)]
        wanted, uncovered = both(self.wanted, span), both(self.uncovered, span)
        told, reasons, starts = 0, Counter(), 0
        for day in range(begin, end):
            for seconds, missed, count in rows.pop(str(date.fromordinal(719163 + day)), []):
                told += seconds
                reasons.update(missed)
                starts += count
        name = f"{utc(begin * DAY)[:10]}" + (f" to {utc(end * DAY - 1)[:10]}" if end - begin > 1 else "")
        margin = 2 + 2 * EDGE * (len(wanted) + 1) + SUN * len([edge for edge in self.sun if begin <= edge // DAY < end])
        faults = 0
        for stretch, _, _ in self.stretches:
            if period := stretch.settings.get("sim", {}).get("fault_period_seconds"):
                faults += length(both([(stretch.begin, stretch.end)], span)) / period
        margin += FAULT * faults
        killed = [(s.end // DAY, kept // DAY) for s, kept, _ in self.stretches if s.killed]
        kills = [days for days in killed if any(begin <= day < end for day in days)]
        self.check_day(name, length(wanted), length(uncovered), told, reasons, margin, KEPT * len(kills), span)
        return length(wanted), length(uncovered), told, reasons, starts

    def check_day(self, name, wanted, uncovered, told, reasons, margin, unkept, span):
        missed = sum(reasons.values())
        if abs(told - wanted) > margin:
            self.fail(f"{name}: the rules want {wanted:.0f} s, the summary tells {told:.0f} s")
        if uncovered > missed + margin:
            self.fail(f"{name}: {uncovered:.0f} s are in no take, the summary gives reasons for {missed:.0f} s")
        if missed > uncovered + margin + unkept:
            self.fail(f"{name}: {uncovered:.0f} s are in no take, the summary tells {missed:.0f} s as missed")
        may = {"recorder off"} if both(self.down, span) else set()
        for kind, spans in self.causes.items():
            may |= REASONS[kind] if both(spans, span) else set()
        for reason, seconds in reasons.items():
            if reason not in may and seconds > margin:
                self.fail(f"{name}: {seconds} s are told as missed because of: {reason}")

    def report(self, card, options):
        self.prepare(card.takes)
        self.check_gaps()
        self.check_strays(card.takes)
        rows = read_rows(card.folder)
        first = self.plan.begin // DAY
        weeks = {}
        for begin, end in self.groups():
            found = self.compare(begin, end, rows)
            week = weeks.setdefault((begin - first) // 7, [0, 0, 0, Counter(), 0])
            for index, value in enumerate(found):
                if index == 3:
                    week[3].update(value)
                else:
                    week[index] += value
        for day in rows:
            if day != str(date.fromordinal(719163 + first - 1)):
                self.fail(f"the summary has a row for {day}")
        self.table(weeks, card, options)
        return not self.faults

    def table(self, weeks, card, options):
        place = self.plan.place
        print(f"{utc(self.plan.begin)} to {utc(self.plan.end)}, {place.zone}, {place.latitude}, {place.longitude}")
        for name, line in self.plan.lines.items():
            print(f"    {name} = {line}")
        print("week  scheduled  in takes   missed  told, h  starts  why, h")
        totals = [0, 0, 0, Counter(), 0]
        for number, week in sorted(weeks.items()):
            self.row(number + 1, week)
            for index in (0, 1, 2, 4):
                totals[index] += week[index]
            totals[3].update(week[3])
        self.row("all", totals)
        if totals[4] != len(self.stretches):
            self.fail(f"{len(self.stretches)} starts, the summary tells {totals[4]}")
        kills = sum(stretch.killed for stretch, _, _ in self.stretches)
        kinds = Counter(stretch.kind for stretch, _, _ in self.stretches)
        print(f"{len(card.takes)} takes, {kills} kills, stretches: {', '.join(f'{k} {n}' for k, n in kinds.items())}")
        short = both(self.uncovered, self.wanted)
        edges = [end - begin for begin, end in short if end - begin <= 2 * EDGE]
        if edges:
            print(f"at {len(edges)} edges of takes {sum(edges):.1f} s are missing, {max(edges):.2f} s at most")
        if self.faults:
            print(f"verdict: not kept, {len(self.faults)} faults")
        else:
            print("verdict: every scheduled second is in a take, or in the summary with its reason")

    @staticmethod
    def row(name, week):
        wanted, uncovered, told, reasons, starts = week
        why = ", ".join(f"{reason} {seconds / HOUR:.2f}" for reason, seconds in reasons.most_common())
        print(f"{name:>4}  {wanted / HOUR:9.3f} {(wanted - uncovered) / HOUR:9.3f} {uncovered / HOUR:8.3f} "
              f"{sum(reasons.values()) / HOUR:8.3f}  {starts:6}  {why}")
