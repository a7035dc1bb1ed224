#!/usr/bin/env python3
"""A recorder that shares a song, as the SOURCE of measure.py: the song's samples say which frame it is.

usage: share-source.py ADDRESS PORT BUFFER_MS CLIENTS

The programs are those of build/host. A take is recorded meanwhile. What the recorder says goes to the file named by
SHARE_LOG, if it is set. SHARE_COMMANDS has it do more, each at its second: "30 pause, 33 play, 36 seek 100, 40 next".
"""
import array
import os
import signal
import subprocess
import sys
import tempfile
import time
import wave

SONG_SECONDS = 300
RATE = 48000


def main():
    # measure.py ends it this way: its children end with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with tempfile.TemporaryDirectory(prefix="share") as folder:
        programs = []
        try:
            share(folder, programs)
        finally:
            for program in programs:
                program.kill()
                program.wait()


def write_song(path, first, seconds):
    with wave.open(path, "wb") as song:
        song.setparams((2, 2, RATE, 0, "NONE", ""))
        song.writeframes(array.array("I", range(first, first + seconds * RATE)).tobytes())


def share(folder, programs):
    address, port, buffer_ms, clients = sys.argv[1:]
    built = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/host/")
    os.mkdir(folder + "/data")
    write_song(folder + "/data/song.wav", 1, SONG_SECONDS)
    write_song(folder + "/data/next.wav", 1_000_000_000, 60)
    shared = f"[monitor]\nsocket = {folder}/s\nsnapcast_buffer_milliseconds = {buffer_ms}\n"
    with open(folder + "/monitor", "w") as file:
        file.write(shared + f"port = {int(port) + 500}\nsnapcast_port = {port}\nsnapcast_address = {address}\nsnapcast_clients = {clients}\n")
    with open(folder + "/recorder", "w") as file:
        file.write(shared + "[speaker]\nsample_rate = 48000\nchannels = 2\nformat = s16\n[sim]\nspeaker_file = heard.raw\n")
        file.write("[record]\nwhat = audio\naudio_format = wav\n")
    log = open(os.environ.get("SHARE_LOG", "/dev/null"), "w")
    programs.append(subprocess.Popen(
        [built + "fieldcorder-monitor", "--config", folder + "/monitor", "--socket", folder + "/s", "--state", folder],
        stdout=log, stderr=log))
    time.sleep(1)
    recorder = subprocess.Popen(
        [built + "fieldcorder", "--board", "sim", "--clock", "real", "--data", folder + "/data", "--config",
         folder + "/recorder", "--console", "stdio"],
        stdin=subprocess.PIPE, stdout=log, stderr=log, bufsize=0)
    programs.append(recorder)
    time.sleep(3)
    recorder.stdin.write(b"press record\nqueue song.wav next.wav\nshare queue\n")
    time.sleep(1)
    with open(folder + "/token") as file:
        print(f"page http://127.0.0.1:{int(port) + 500}/?token={file.read().strip()}", flush=True)
    print("begin 0", flush=True)
    begin, told = time.monotonic(), 0
    commands = [one.strip() for one in os.environ.get("SHARE_COMMANDS", "").split(",") if one]
    while recorder.poll() is None:
        time.sleep(0.1)
        passed = time.monotonic() - begin
        while commands and passed >= float(commands[0].split()[0]):
            recorder.stdin.write((commands.pop(0).split(" ", 1)[1] + "\n").encode())
        if passed >= told + 5:
            told = passed
            recorder.stdin.write(b"player\nlisteners\n")


if __name__ == "__main__":
    main()
