#!/usr/bin/env python3
"""Measures how soon a stream is heard again after its server was away, on what the simulated speaker plays.

usage: board/sync/outages.py [COUNT] [--seed N]

A server at this machine sends an MP3 as a live one does, half a second of it at once. COUNT times (100) it ends the
connection and takes none for 2.5 to 8 s. The recorder records a take meanwhile; its programs are those of `make build`.
An outage counts as silent if the speaker had run dry before its end.
"""
import argparse
import os
import pathlib
import random
import socket
import subprocess
import tempfile
import threading
import time

BYTES_A_SECOND = 16000
PATIENCE_SECONDS = 60
build = pathlib.Path(__file__).resolve().parents[2] / "build/host"


class LiveServer:
    """Serves one MP3 over and over, at its bit rate, while it is up."""

    def __init__(self, data):
        self.data, self.port, self.link, self.listener = data, 0, None, None

    def rise(self):
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.port))
        self.listener.listen(5)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def fall(self):
        for end in (self.listener, self.link):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def accept(self, listener):
        while True:
            try:
                self.link, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.send, args=(self.link,), daemon=True).start()

    def send(self, link):
        try:
            link.recv(4096)
            link.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n")
            begin, place = time.monotonic(), 0
            while True:
                due = int((time.monotonic() - begin + 0.5) * BYTES_A_SECOND)
                while place < due:
                    offset = place % len(self.data)
                    place += link.send(self.data[offset:offset + min(1440, due - place)])
                time.sleep(0.01)
        except OSError:
            pass


def byte_count(path):
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def await_sound(path, before):
    """Seconds until the speaker plays on."""
    begin = time.monotonic()
    while byte_count(path) == before:
        if time.monotonic() - begin > PATIENCE_SECONDS:
            raise SystemExit(f"nothing is heard after {PATIENCE_SECONDS} s")
        time.sleep(0.005)
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    generator = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        tone, heard, configuration, link = (f"{folder}/{name}" for name in ("tone.mp3", "data/heard.raw", "conf", "link"))
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=440:duration=30:sample_rate=44100", "-ac", "2",
                        "-b:a", "128k", tone], check=True)
        server = LiveServer(pathlib.Path(tone).read_bytes())
        server.rise()
        pathlib.Path(configuration).write_text(
            f"[stream]\nsocket = {link}\n[speaker]\nsample_rate = 44100\nchannels = 2\nformat = s16\n"
            "[sim]\nspeaker_file = heard.raw\n[audio]\nbuffer_milliseconds = 2000\n"
            "[video]\nwidth = 160\nheight = 120\nframe_rate = 3\n")
        service = subprocess.Popen([build / "fieldcorder-fetch", "--socket", link])
        recorder = subprocess.Popen(
            [build / "fieldcorder", "--board", "sim", "--config", configuration, "--data", f"{folder}/data", "--console",
             "stdio"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        try:
            time.sleep(1.5)
            recorder.stdin.write(f"record start\nstream http://127.0.0.1:{server.port}/tone.mp3\n")
            recorder.stdin.flush()
            await_sound(heard, 0)
            delays, silent_count = [], 0
            for _ in range(options.count):
                time.sleep(generator.uniform(1.5, 3))
                server.fall()
                time.sleep(generator.uniform(2.2, 7.7))
                before = byte_count(heard)
                time.sleep(0.3)
                silent_count += byte_count(heard) == before
                server.rise()
                delays.append(await_sound(heard, byte_count(heard)))
        finally:
            recorder.kill()
            service.kill()
    delays.sort()
    print(f"{len(delays)} outages, {silent_count} silent; heard again after a median of {delays[len(delays) // 2]:.2f} s, "
          f"{delays[-1]:.2f} s at most")


if __name__ == "__main__":
    main()
