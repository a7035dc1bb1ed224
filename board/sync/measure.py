#!/usr/bin/env python3
"""Measures how well Debian's snapclients and fieldcorders play together, on what they play.

usage: board/sync/measure.py SOURCE [--clients N] [--listen N --fetch PROGRAM] [--browser] [--seconds S] [--jitter MS]
       [--loss FRACTION] [--seed N] [--clocks]

SOURCE is the program snapcast-source of the tests: its sound says which frame it is. Each snapclient is behind a relay of
its own, which delays every TCP segment by a random time up to the jitter, loses some of them (the segment and all behind it
then come 200 ms later), and lets none overtake another. Each writes what it plays to a pipe, 50 ms at a time; a block counts
as heard when it is written. Players join 0.7 s after each other, and halfway the first leaves and comes back. With --clocks
each has a monotonic clock of its own.

With --listen as many fieldcorder-fetch listen beside them, as the recorder's "listen HOST" has it listen: each writes into a
pipe, from which a sound card with a crystal of its own (100 ppm fast, 100 ppm slow, and so on) takes the sound a tenth of a
second before it is heard, and tells ten times a second what is heard, as the recorder does. A frame counts as heard when its
turn at that card comes. Decoder, ring and driver, which only hand it on, are left out.

With --browser, and share-source.py as the source, Chromium on the monitor's page is asked to listen in step beside them,
and halfway leaves and comes back: browser.py. A frame counts as heard when Chromium says that its card plays it.

Where what is heard does not go on (a pause, another place, another song, another volume), it is told when each player came
to it.

A speaker plays evenly, and what writes to a pipe is woken early or late by the machine. So a player's time is the median of
its blocks of a second; the blocks by themselves are told too. Only what is played from 10 s after joining counts.
"""
import argparse
import array
import asyncio
import itertools
import os
import random
import select
import selectors
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

import browser

BLOCK_BYTES = 9600
RATE = 48000
SEGMENT_BYTES = 1448
RETRANSMISSION_SECONDS = 0.2
# The latency that snapclient assumes for its pipe.
PIPE_SECONDS = 0.01
HEADER_BYTES = 68


class Relay:
    """One way of a connection."""

    def __init__(self, generator, options):
        self.generator, self.options = generator, options
        self.free = 0.0

    def release(self, now, byte_count):
        """When the bytes that arrive now may go on."""
        late = self.generator.uniform(0, self.options.jitter / 1000)
        for _ in range(-(-byte_count // SEGMENT_BYTES)):
            while self.generator.random() < self.options.loss:
                late += RETRANSMISSION_SECONDS
        self.free = max(self.free, now + late)
        return self.free

    async def pump(self, reader, writer):
        loop = asyncio.get_running_loop()
        queue = asyncio.Queue()

        async def send():
            while True:
                release, piece = await queue.get()
                await asyncio.sleep(release - loop.time())
                if not piece:
                    return writer.close()
                writer.write(piece)

        sender = asyncio.create_task(send())
        while True:
            piece = await reader.read(65536)
            queue.put_nowait((self.release(loop.time(), len(piece)), piece))
            if not piece:
                return await sender


async def relay_all(options, port, first_port):
    def accept(number):
        async def serve(reader, writer):
            generator = random.Random(options.seed * 1000 + number)
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(
                Relay(generator, options).pump(reader, there_writer),
                Relay(generator, options).pump(there_reader, writer),
                return_exceptions=True,
            )

        return serve

    servers = [await asyncio.start_server(accept(n), "127.0.0.1", first_port + n) for n in range(options.clients + options.listen)]
    await asyncio.gather(*(server.serve_forever() for server in servers))


def start_relays(options, port, first_port):
    child = os.fork()
    if child:
        return child
    # Unlike epoll's, its timeout is finer than a millisecond.
    loop = asyncio.SelectorEventLoop(selectors.SelectSelector())
    try:
        loop.run_until_complete(relay_all(options, port, first_port))
    finally:
        os._exit(1)


def start_player(number, options, first_port):
    command = ["snapclient", "-h", "127.0.0.1", "-p", str(first_port + number), "--hostID", f"player{number}"]
    command += ["--player", "file:filename=stdout", "--logsink", "null"]
    if options.clocks:
        command = ["unshare", "-T", "--monotonic", str(1000 * (number + 1)), "-f", "--kill-child"] + command
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)


class Card(threading.Thread):
    """A sound card that plays what a fieldcorder-fetch writes, and tells that what is heard."""

    # Less than half a second, including the third of a second that the pipe holds.
    AHEAD_SECONDS = 0.1

    def __init__(self, heard, service, address, parts_per_million):
        super().__init__(daemon=True)
        self.heard, self.rate, self.underruns = heard, RATE * (1 + parts_per_million / 1e6), 0
        self.link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.link.connect(service)
        output, given = os.pipe()
        # After the address, the identity that servers are told.
        order = bytes([len(address)]) + address.encode() + os.urandom(16)
        self.link.sendmsg([order], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [given]))])
        os.close(given)
        self.link.setblocking(False)
        self.pipe = os.fdopen(output, "rb")

    def run(self):
        self.pipe.read(HEADER_BYTES)
        begin, taken, told = None, 0, 0
        while block := self.pipe.read(BLOCK_BYTES):
            now = time.monotonic()
            if begin is None:
                begin = now + self.AHEAD_SECONDS
            due = begin + taken / self.rate
            if due < now:
                # The card stops, and goes on when there is data again.
                self.underruns += 1
                begin += now - due
                due = now
            self.heard.take_block(due - PIPE_SECONDS, memoryview(block).cast("I"))
            taken += len(block) // 4
            while (rest := begin + taken / self.rate - self.AHEAD_SECONDS - time.monotonic()) > 0:
                time.sleep(min(rest, 0.02))
                told = self.tell(begin, told)
            told = self.tell(begin, told)

    def tell(self, begin, told):
        now = time.monotonic_ns()
        heard = (now / 1e9 - begin) * self.rate / RATE
        if now < told + 100_000_000 or heard < 0:
            return told
        try:
            self.link.send(struct.pack("<QQ", int(heard * 1e9), now))
            while self.link.recv(4096):
                pass
        except OSError:
            # Nothing more to read, or the service has ended.
            pass
        return now


class Heard:
    """What one player has played: when each block came, and which frame it began with."""

    def __init__(self, joined):
        self.joined, self.rest, self.stamp = joined, b"", 0.0
        self.blocks, self.corrections, self.last = [], 0, 0
        # What was heard before it counts, and when what was heard did not go on.
        self.first_blocks, self.turns, self.newest_turn = [], [], 0.0

    def take(self, now, piece):
        if not self.rest:
            self.stamp = now
        self.rest += piece
        while len(self.rest) >= BLOCK_BYTES:
            self.take_block(self.stamp, memoryview(self.rest[:BLOCK_BYTES]).cast("I"))
            self.rest = self.rest[BLOCK_BYTES:]
            self.stamp = now

    def take_block(self, stamp, frames):
        self.find_turns(stamp, frames)
        if frames[0] == 0 or frames[-1] == 0:
            return
        if stamp < self.joined + 10:
            self.first_blocks.append((stamp, stamp - frames[0] / RATE))
        else:
            self.corrections += frames[-1] - frames[0] != len(frames) - 1
            self.blocks.append((stamp, stamp - frames[0] / RATE))

    def find_turns(self, stamp, frames):
        last, self.last = self.last, frames[-1]
        stretch = range(len(frames) - 2, len(frames) + 1)
        if frames[0] - last in range(3) and frames[-1] - frames[0] in stretch or last == 0 and not any(frames):
            return
        for index, frame in enumerate(frames):
            if frame - last not in range(3) or (frame == 0) != (last == 0):
                at = stamp + index / RATE
                # What follows soon belongs to the same change.
                if at > self.newest_turn + 0.5:
                    self.turns.append(at)
                self.newest_turn = at
            last = frame

    def smoothed(self):
        """The player's time in each second: the median of its blocks."""
        seconds = {}
        for stamp, offset in self.blocks:
            seconds.setdefault(int(stamp), []).append(offset)
        return {second: statistics.median(offsets) for second, offsets in seconds.items() if len(offsets) > 10}

    def raw(self):
        return {int(stamp * 20): offset for stamp, offset in self.blocks}


def differences(pairs):
    return sorted(abs(one[key] - other[key]) * 1e6 for one, other in pairs for key in one.keys() & other.keys())


def tell(name, found):
    if not found:
        return f"{name}: nothing to compare"
    return (
        f"{name}: {len(found)} comparisons, p50 {found[len(found) // 2]:.0f} µs, "
        f"p99 {found[int(len(found) * 0.99)]:.0f} µs, largest {found[-1]:.0f} µs"
    )


def tell_turns(everybody):
    """When players came to the same turn, by how much they differ."""
    told = sorted((turn, number) for number, player in enumerate(everybody) for turn in player.turns)
    while told:
        together = [one for one in told if one[0] < told[0][0] + 0.2]
        told = told[len(together):]
        if len(together) > 1:
            spread = (together[-1][0] - together[0][0]) * 1e6
            print(f"turn at {together[0][0] - everybody[0].joined:.1f} s: {len(together)} players, {spread:.0f} µs apart")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--listen", type=int, default=0)
    parser.add_argument("--fetch")
    parser.add_argument("--browser", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jitter", type=float, default=5)
    parser.add_argument("--loss", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=17100)
    parser.add_argument("--clocks", action="store_true")
    options = parser.parse_args()
    first_port = options.port + 1

    source = subprocess.Popen(
        [options.source, "127.0.0.1", str(options.port), "1000", str(options.clients + options.listen)],
        stdout=subprocess.PIPE,
    )
    page = None
    for line in map(bytes.decode, source.stdout):
        if line.startswith("begin"):
            begin = int(line.split()[-1]) / 1e9
            break
        page = line.split()[-1]
    relays = start_relays(options, options.port, first_port)
    time.sleep(1)
    players, heard, everybody, cards, services, browsers, by_browser = [], {}, [], [], [], [], []

    def join(number):
        player = start_player(number, options, first_port)
        players.append(player)
        everybody.append(Heard(time.monotonic()))
        heard[player.stdout.fileno()] = everybody[-1]
        poller.register(player.stdout.fileno(), select.POLLIN)

    def listen(number):
        everybody.append(Heard(time.monotonic()))
        address = f"snapcast://127.0.0.1:{first_port + options.clients + number}"
        cards.append(Card(everybody[-1], service, address, 100 if number % 2 == 0 else -100))
        cards[-1].start()

    def begin_browser():
        by_browser.append(Heard(time.monotonic()))
        everybody.append(by_browser[-1])

    work = tempfile.TemporaryDirectory()
    service = work.name + "/socket"
    if options.listen:
        services.append(subprocess.Popen([options.fetch, "--socket", service]))
        while not os.path.exists(service):
            time.sleep(0.01)

    try:
        for number in range(options.listen):
            listen(number)
        if options.browser:
            browsers.append(
                browser.StepListener(
                    page, begin_browser, lambda heard, frames: by_browser[-1].take_block(heard - PIPE_SECONDS, frames)))
            browsers[0].start()
        joined = -1.0
        end = time.monotonic() + 0.7 * options.clients + 10 + options.seconds
        has_left = False
        poller = select.poll()
        while time.monotonic() < end:
            now = time.monotonic()
            if len(players) < options.clients and now >= joined + 0.7:
                joined = now
                join(len(players))
            if options.clients and not has_left and now >= end - options.seconds / 2:
                has_left = True
                for one in browsers:
                    one.must_rejoin = True
                players[0].kill()
                poller.unregister(players[0].stdout.fileno())
                join(0)
            for descriptor, _ in poller.poll(100):
                now = time.monotonic()
                piece = os.read(descriptor, 65536)
                if not piece:
                    sys.exit("a snapclient has ended")
                heard[descriptor].take(now, piece)
    finally:
        # unshare ignores a polite signal.
        for process in players + services:
            process.kill()
        source.terminate()
        for one in browsers:
            one.end()
        os.kill(relays, 15)
        for process in players + services + [source]:
            process.wait()
    print(f"{options.clients} snapclients, {options.listen} fieldcorders, jitter {options.jitter} ms, loss {options.loss:.1%}, seed {options.seed}")
    print(tell("in seconds", differences(itertools.combinations([h.smoothed() for h in everybody], 2))))
    print(tell("in blocks ", differences(itertools.combinations([h.raw() for h in everybody], 2))))
    if by_browser:
        others = [h.smoothed() for h in everybody if h not in by_browser]
        print(tell("browser, in seconds", differences((h.smoothed(), other) for h in by_browser for other in others)))
    for number, player in enumerate(everybody):
        lateness = [(offset + PIPE_SECONDS - begin - 1.0) * 1e6 for _, offset in player.blocks]
        kind = "browser" if player in by_browser else "fieldcorder" if number < options.listen else "snapclient"
        print(
            f"{kind}: {len(lateness)} blocks, {player.corrections} corrected, late by "
            f"{statistics.median(lateness) if lateness else float('nan'):.0f} µs"
        )
    for player in by_browser:
        found = {}
        for stamp, offset in player.first_blocks:
            known = [other[int(stamp)] for other in others if int(stamp) in other]
            if known:
                found.setdefault(int(stamp - player.joined), []).append(abs(offset - statistics.median(known)) * 1e6)
        told = ", ".join(f"{second}: {max(offsets):.0f}" for second, offsets in found.items())
        print(f"browser: off by µs at most in its first seconds, {told or 'nothing to compare'}")
    for one in browsers:
        print(f"page: {', '.join(one.states)}")
    tell_turns(everybody)
    for number, card in enumerate(cards):
        print(f"card {number}: ran empty {card.underruns} times")


if __name__ == "__main__":
    main()
