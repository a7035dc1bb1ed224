#!/usr/bin/env python3
"""How much later than the recorder's own speaker a browser plays a song that is shared: headless Chromium on the monitor's
page presses its button, and what it is about to play is read from its sound graph.

usage: browser.py [SECONDS]

The programs are those of build/host. The song's samples say which frame it is. Prints, a line a second, what the browser
is behind, in milliseconds, and the same of the players in sync: the buffer that is configured.
"""
import array
import base64
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
import wave

RATE = 48000
BUFFER_MS = 1000
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/host/")

# The page's own element plays Opus; the samples of a frame are only exact in WAV.
LISTEN = """(async () => {
  const context = new AudioContext({ sampleRate: %d });
  const sound = new Audio("/live.wav" + location.search);
  const tap = context.createScriptProcessor(1024, 2, 2);
  window.heard = null;
  tap.onaudioprocess = (event) => {
    const [low, high] = [0, 1].map((c) => Math.round(event.inputBuffer.getChannelData(c)[0] * 32768) & 0xffff);
    const shown = context.getOutputTimestamp();
    const wait = (event.playbackTime - shown.contextTime) * 1000;
    window.heard = [high * 65536 + low, performance.timeOrigin + shown.performanceTime + wait];
  };
  context.createMediaElementSource(sound).connect(tap);
  tap.connect(context.destination);
  await sound.play();
})()""" % RATE


class Page:
    """The browser's page, by its debugging protocol (RFC 6455)."""

    def __init__(self, port):
        for _ in range(100):
            try:
                pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
                address = next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
                break
            except (OSError, StopIteration):
                time.sleep(0.1)
        self.link = socket.create_connection(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        path = address.split(str(port), 1)[1]
        self.link.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.link.recv(4096)
        self.rest = self.rest.split(b"\r\n\r\n", 1)[1]
        self.number = 0

    def take(self, count):
        while len(self.rest) < count:
            self.rest += self.link.recv(65536)
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def receive(self):
        length = self.take(2)[1] & 127
        if length == 126:
            length = struct.unpack(">H", self.take(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.take(8))[0]
        return json.loads(self.take(length))

    def run(self, script):
        """The value of an expression in the page."""
        self.number += 1
        text = json.dumps({"id": self.number, "method": "Runtime.evaluate", "params": {
            "expression": script, "returnByValue": True, "awaitPromise": True, "userGesture": True}}).encode()
        self.link.sendall(b"\x81" + struct.pack(">BH", 254, len(text)) + bytes(4) + text)
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                return answer["result"]["result"].get("value")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    folder = tempfile.mkdtemp(prefix="browser")
    os.mkdir(folder + "/data")
    with wave.open(folder + "/data/song.wav", "wb") as song:
        song.setparams((2, 2, RATE, 0, "NONE", ""))
        song.writeframes(array.array("I", range(1, (seconds + 60) * RATE)).tobytes())
    port, debugging = free_port(), free_port()
    with open(folder + "/conf", "w") as file:
        file.write(f"[monitor]\nsocket = {folder}/s\nport = {port}\nsnapcast_buffer_milliseconds = {BUFFER_MS}\n"
                   "[speaker]\nformat = s16\n[audio]\nformat = s16\n[record]\nwhat = audio\n")
    monitor = subprocess.Popen([PROGRAMS + "fieldcorder-monitor", "--config", folder + "/conf", "--socket", folder + "/s",
                                "--state", folder], stdout=subprocess.DEVNULL)
    time.sleep(0.5)
    recorder = subprocess.Popen([PROGRAMS + "fieldcorder", "--board", "sim", "--config", folder + "/conf", "--data",
                                 folder + "/data"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    token = open(folder + "/token").read().strip()
    browser = subprocess.Popen(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser",
         "--autoplay-policy=no-user-gesture-required", f"--remote-debugging-port={debugging}", "--remote-allow-origins=*",
         f"http://127.0.0.1:{port}/?token={token}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        measure(recorder, Page(debugging), seconds)
    finally:
        for process in (browser, recorder, monitor):
            process.kill()


def until(recorder, beginning):
    for line in recorder.stdout:
        if line.startswith(beginning):
            return line


def measure(recorder, page, seconds):
    recorder.stdin.write("prepare song.wav\n")
    until(recorder, "* player prepared")
    for _ in range(100):
        if page.run('!document.getElementById("share").hidden'):
            break
        time.sleep(0.1)
    print("button:", page.run('document.getElementById("share").textContent'))
    page.run('document.getElementById("share").click()')
    print(until(recorder, "* a listener shares").strip())
    page.run(LISTEN)
    time.sleep(5)
    print("milliseconds behind what is shared: the browser, players in sync")
    for _ in range(seconds):
        time.sleep(1)
        recorder.stdin.write("status json\n")
        player = json.loads(until(recorder, "{"))["player"]
        now = time.time() * 1000
        frame, at = page.run("window.heard") or (0, 0)
        if frame:
            shared_at = now - (player["position_seconds"] * RATE - frame) * 1000 / RATE
            print(f"{at - shared_at:8.0f} {BUFFER_MS:6}")


if __name__ == "__main__":
    main()
