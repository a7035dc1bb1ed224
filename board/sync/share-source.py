#!/usr/bin/env python3
"""A recorder that shares a song, as the SOURCE of measure.py: the song's samples say which frame it is.

usage: share-source.py ADDRESS PORT BUFFER_MS CLIENTS

The programs are those of build/host. A take is recorded meanwhile. What the recorder says goes to the file named by
SHARE_LOG, if it is set.
"""
import array
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time
import wave

SONG_SECONDS = 300
RATE = 48000


def die_with_parent():
    """The measurement ends its source with a signal that nobody can catch."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def main():
    address, port, buffer_ms, clients = sys.argv[1:]
    programs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/host/")
    folder = tempfile.mkdtemp(prefix="share")
    os.mkdir(folder + "/data")
    with wave.open(folder + "/data/song.wav", "wb") as song:
        song.setparams((2, 2, RATE, 0, "NONE", ""))
        song.writeframes(array.array("I", range(1, SONG_SECONDS * RATE)).tobytes())
    shared = f"[monitor]\nsocket = {folder}/s\nsnapcast_buffer_milliseconds = {buffer_ms}\n"
    with open(folder + "/monitor", "w") as file:
        file.write(shared + f"port = {int(port) + 500}\nsnapcast_port = {port}\nsnapcast_address = {address}\nsnapcast_clients = {clients}\n")
    with open(folder + "/recorder", "w") as file:
        file.write(shared + "[speaker]\nsample_rate = 48000\nchannels = 2\nformat = s16\n[sim]\nspeaker_file = heard.raw\n")
        file.write("[record]\nwhat = audio\naudio_format = wav\n")
    log = open(os.environ.get("SHARE_LOG", "/dev/null"), "w")
    monitor = subprocess.Popen(
        [programs + "fieldcorder-monitor", "--config", folder + "/monitor", "--socket", folder + "/s", "--state", folder],
        stdout=log, stderr=log, preexec_fn=die_with_parent)
    time.sleep(1)
    recorder = subprocess.Popen(
        [programs + "fieldcorder", "--board", "sim", "--clock", "real", "--data", folder + "/data", "--config",
         folder + "/recorder", "--console", "stdio"],
        stdin=subprocess.PIPE, stdout=log, stderr=log, bufsize=0, preexec_fn=die_with_parent)
    time.sleep(3)
    recorder.stdin.write(b"press record\nshare song.wav\n")
    time.sleep(1)
    print("begin 0", flush=True)
    while recorder.poll() is None:
        time.sleep(5)
        recorder.stdin.write(b"player\nlisteners\n")


if __name__ == "__main__":
    main()
