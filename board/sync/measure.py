#!/usr/bin/env python3
"""Measures how well Debian's snapclients play together, on what they play.

usage: board/sync/measure.py SOURCE [--clients N] [--seconds S] [--jitter MS] [--loss FRACTION] [--seed N] [--clocks]

SOURCE is the program snapcast-source of the tests: its sound says which frame it is. Each snapclient is behind a relay of
its own, which delays every TCP segment by a random time up to the jitter, loses some of them (the segment and all behind it
then come 200 ms later), and lets none overtake another. Each writes what it plays to a pipe, 50 ms at a time; a block counts
as heard when it is written. Players join 0.7 s after each other, and halfway the first leaves and comes back. With --clocks
each has a monotonic clock of its own.

A speaker plays evenly, and what writes to a pipe is woken early or late by the machine. So a player's time is the median of
its blocks of a second; the blocks by themselves are told too. Only what is played from 10 s after joining counts.
"""
import argparse
import asyncio
import os
import random
import select
import selectors
import statistics
import subprocess
import sys
import time

BLOCK_BYTES = 9600
RATE = 48000
SEGMENT_BYTES = 1448
RETRANSMISSION_SECONDS = 0.2


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

    servers = [await asyncio.start_server(accept(n), "127.0.0.1", first_port + n) for n in range(options.clients)]
    await asyncio.gather(*(server.serve_forever() for server in servers))


def start_relays(options, port, first_port):
    child = os.fork()
    if child:
        return child
    # Unlike epoll's, its time is finer than a millisecond.
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


class Heard:
    """What one player has played: when each block came, and which frame it began with."""

    def __init__(self, joined):
        self.joined, self.rest, self.stamp = joined, b"", 0.0
        self.blocks, self.corrections, self.last = [], 0, None

    def take(self, now, piece):
        if not self.rest:
            self.stamp = now
        self.rest += piece
        while len(self.rest) >= BLOCK_BYTES:
            self.take_block(self.stamp, memoryview(self.rest[:BLOCK_BYTES]).cast("I"))
            self.rest = self.rest[BLOCK_BYTES:]
            self.stamp = now

    def take_block(self, stamp, frames):
        if frames[0] == 0 or frames[-1] == 0:
            return
        if stamp >= self.joined + 10:
            self.corrections += frames[-1] - frames[0] != len(frames) - 1
            self.blocks.append((stamp, stamp - frames[0] / RATE))

    def smoothed(self):
        """The player's time in each second: the median of its blocks."""
        seconds = {}
        for stamp, offset in self.blocks:
            seconds.setdefault(int(stamp), []).append(offset)
        return {second: statistics.median(offsets) for second, offsets in seconds.items() if len(offsets) > 10}

    def raw(self):
        return {int(stamp * 20): offset for stamp, offset in self.blocks}


def differences(series):
    found = []
    for index, one in enumerate(series):
        for other in series[index + 1 :]:
            found += [abs(one[key] - other[key]) * 1e6 for key in one.keys() & other.keys()]
    return sorted(found)


def tell(name, found):
    if not found:
        return f"{name}: nothing to compare"
    return (
        f"{name}: {len(found)} comparisons, p50 {found[len(found) // 2]:.0f} µs, "
        f"p99 {found[int(len(found) * 0.99)]:.0f} µs, largest {found[-1]:.0f} µs"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jitter", type=float, default=5)
    parser.add_argument("--loss", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=17100)
    parser.add_argument("--clocks", action="store_true")
    options = parser.parse_args()
    first_port = options.port + 1

    source = subprocess.Popen(
        [options.source, "127.0.0.1", str(options.port), "1000", str(options.clients)], stdout=subprocess.PIPE
    )
    begin = int(source.stdout.readline().split()[-1]) / 1e9
    relays = start_relays(options, options.port, first_port)
    time.sleep(1)
    players, heard, everybody = [], {}, []

    def join(number):
        player = start_player(number, options, first_port)
        players.append(player)
        everybody.append(Heard(time.monotonic()))
        heard[player.stdout.fileno()] = everybody[-1]
        poller.register(player.stdout.fileno(), select.POLLIN)

    try:
        end = time.monotonic() + 0.7 * options.clients + 10 + options.seconds
        has_left = False
        poller = select.poll()
        while time.monotonic() < end:
            now = time.monotonic()
            if len(players) < options.clients and (not players or now >= everybody[-1].joined + 0.7):
                join(len(players))
            if not has_left and now >= end - options.seconds / 2:
                has_left = True
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
        # unshare does not heed a polite signal.
        for process in players + [source]:
            process.kill()
        os.kill(relays, 15)
        for process in players + [source]:
            process.wait()
    print(f"{options.clients} snapclients, jitter {options.jitter} ms, loss {options.loss:.1%}, seed {options.seed}")
    print(tell("in seconds", differences([h.smoothed() for h in everybody])))
    print(tell("in blocks ", differences([h.raw() for h in everybody])))
    for number, player in enumerate(everybody):
        # 10 ms is what snapclient believes its pipe to be late.
        lateness = [(offset + 0.01 - begin - 1.0) * 1e6 for _, offset in player.blocks]
        print(
            f"player {number}: {len(lateness)} blocks, {player.corrections} corrected, late by "
            f"{statistics.median(lateness) if lateness else float('nan'):.0f} µs"
        )


if __name__ == "__main__":
    main()
