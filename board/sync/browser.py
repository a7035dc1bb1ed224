#!/usr/bin/env python3
"""How much later than the recorder's own speaker a browser plays a song that is shared: headless Chromium on the monitor's
page presses its button, and what it is about to play is read from its sound graph.

usage: browser.py [SECONDS]

The programs are those of build/host. The song's samples say which frame it is. Prints, a line a second, what the browser
is behind, in milliseconds, and the same of the players in sync: the buffer that is configured. That is what an element of
sound plays; measure.py --browser measures what the page plays in step.
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
import threading
import time
import urllib.request
import wave

RATE = 48000
BUFFER_MS = 1000
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/host/")

# The page's own element plays Opus; only WAV has exact samples.
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


# Between the page's sound and the card: frames as 32-bit numbers, in blocks of 50 ms, each with the time at which its
# first frame is heard, as reported by the browser. A block begins with a frame number of the context.
TAP = """(() => {
  const processor = `registerProcessor("tap", class extends AudioWorkletProcessor {
    constructor() { super(); this.begin(); }
    begin() { this.block = new Uint32Array(2400); this.count = 0; }
    process([input]) {
      for (let index = 0; index < 128; index++) {
        if (this.count === 0) this.first = currentFrame + index;
        const [low, high] = [0, 1].map((c) => Math.round((input[c]?.[index] ?? 0) * 32768) & 0xffff);
        this.block[this.count++] = high * 65536 + low;
        if (this.count < 2400) continue;
        this.port.postMessage([this.first, this.block]);
        this.begin();
      }
      return true;
    }
  })`;
  window.heardBlocks = [];
  const connect = AudioNode.prototype.connect;
  const inputs = new WeakMap();
  const inputOf = (context) => {
    if (inputs.has(context)) return inputs.get(context);
    const input = context.createGain();
    inputs.set(context, input);
    connect.call(input, context.destination);
    context.audioWorklet.addModule(URL.createObjectURL(new Blob([processor], { type: "text/javascript" }))).then(() => {
      const tap = new AudioWorkletNode(context, "tap", { channelCount: 2, channelCountMode: "explicit" });
      tap.port.onmessage = ({ data: [first, block] }) => {
        const shown = context.getOutputTimestamp();
        const at = shown.performanceTime + (first / context.sampleRate - shown.contextTime) * 1000;
        const bytes = Array.from(new Uint8Array(block.buffer), (byte) => String.fromCharCode(byte)).join("");
        window.heardBlocks.push([at, btoa(bytes)]);
      };
      connect.call(input, tap);
      connect.call(tap, context.destination);
    });
    return input;
  };
  // From the beginning: with its first worklet a context changes its thread, and the card runs empty.
  window.AudioContext = class extends AudioContext {
    // At the rate of the song, so that its numbers come through.
    constructor() { super({ sampleRate: 48000 }); inputOf(this); }
  };
  AudioNode.prototype.connect = function (target, ...rest) {
    return connect.call(this, target instanceof AudioDestinationNode ? inputOf(this.context) : target, ...rest);
  };
})()"""


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

    def ask(self, method, **parameters):
        self.number += 1
        text = json.dumps({"id": self.number, "method": method, "params": parameters}).encode()
        self.link.sendall(b"\x81" + struct.pack(">BH", 254, len(text)) + bytes(4) + text)
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                return answer["result"]

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        return answer["result"].get("value")


class StepListener(threading.Thread):
    """Chromium on the monitor's page, which is asked to listen in step, and passes on what it plays."""

    def __init__(self, address, begin, take):
        """begin() is called when the button is pressed; take(heard, samples) for every block, heard by the monotonic clock."""
        super().__init__(daemon=True)
        self.begin, self.take, self.must_rejoin, self.has_ended, self.states = begin, take, False, False, []
        self.folder = tempfile.TemporaryDirectory(prefix="browser")
        debugging = free_port()
        self.process = start_browser(self.folder.name, debugging, "about:blank")
        self.page = Page(debugging)
        self.page.ask("Page.enable")
        self.page.ask("Page.setBypassCSP", enabled=True)
        self.page.ask("Page.addScriptToEvaluateOnNewDocument", source=TAP)
        self.page.ask("Page.navigate", url=address)
        self.page.ask("Performance.enable")

    def run(self):
        until_true(self.page, 'document.readyState === "complete" && !document.getElementById("step").hidden')
        metrics = {one["name"]: one["value"] for one in self.page.ask("Performance.getMetrics")["metrics"]}
        # In CLOCK_MONOTONIC; the page counts from there.
        origin = metrics["NavigationStart"]
        self.press()
        while not self.has_ended:
            time.sleep(0.2)
            if self.must_rejoin:
                self.must_rejoin = False
                self.press()
                time.sleep(1)
                self.press()
            for at, samples in self.page.run("heardBlocks.splice(0)"):
                self.take(origin + at / 1000, memoryview(base64.b64decode(samples)).cast("I"))
            state = self.page.run('document.getElementById("stepState").textContent')
            if state and state not in self.states:
                self.states.append(state)

    def press(self):
        self.page.run('document.getElementById("step").click()')
        if self.page.run('document.getElementById("step").textContent') == "leave":
            self.begin()

    def end(self):
        self.has_ended = True
        self.join()
        self.process.kill()
        self.process.wait()


def start_browser(folder, debugging, address):
    return subprocess.Popen(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser",
         "--autoplay-policy=no-user-gesture-required", f"--remote-debugging-port={debugging}", "--remote-allow-origins=*",
         address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def until_true(page, condition):
    for _ in range(100):
        if page.run(condition):
            break
        time.sleep(0.1)


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
    browser = start_browser(folder, debugging, f"http://127.0.0.1:{port}/?token={token}")
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
    until_true(page, '!document.getElementById("share").hidden')
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
