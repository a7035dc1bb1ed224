import Foundation
import Glibc
import TestSupport
import Testing

/// A recorder on a serial line, when the terminal at its other end or the line itself disappears.
@Suite struct SerialConsoleTests {
  @Test(
    "A terminal that is killed, an adapter that is pulled and a second recorder change nothing for a take, and the console is back with its line"
  )
  func goesOn() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "tty")
    var cable = try SerialCable(at: path)
    let recorder = try Session(arguments: ["--board", "sim", "--data", folder.path(of: "data"), "--console", path])
    try cable.hear("* armed")
    cable.type("record start")
    try cable.hear(" began")
    cable.type("top")
    // It clears the screen first; words are drawn in pieces.
    try cable.hear("\u{1B}[2J")

    // The terminal is killed: nobody reads the output until one is connected again.
    usleep(3_000_000)
    cable.press("q")
    cable.type("version")
    try cable.hear("\r\nok")

    let second = try Session(arguments: ["--board", "sim", "--data", folder.path(of: "other"), "--console", path])
    while second.isRunning,
      try !second.complaints().contains(where: { $0.hasSuffix("is used by another program: end it") })
    {
      usleep(20_000)
    }
    #expect(second.isRunning)
    cable.type("config loop.priority")
    try cable.hear("priority = ")
    second.send(SIGKILL)
    _ = second.end()

    // The adapter is unplugged and plugged in again.
    cable.pull()
    usleep(2_000_000)
    #expect(recorder.isRunning)
    cable = try SerialCable(at: path)
    try cable.awaitPrompt()
    let during = try cable.status()
    #expect(during.state == "recording")
    cable.type("record stop")
    try cable.hear(" is complete")
    let after = try cable.status()
    #expect(after.take == during.take && after.heapAllocationsSinceBootComplete == 0)
    recorder.send(SIGTERM)
    #expect(recorder.end() == 0)

    let take = folder.path(of: "data/" + (try #require(after.take)))
    let seconds = try #require(Double(try ForeignProgram.probe(take, stream: "a:0", entry: "duration")))
    #expect(abs(seconds - after.seconds) < 0.1 && seconds > 5)
    // The sound decodes without an error, to the end.
    #expect(try ForeignProgram.text("ffmpeg", ["-v", "error", "-xerror", "-i", take, "-f", "null", "-"]) == "")
  }
}

/// A serial adapter, and the terminal at the other end of its cable. The adapter is a pseudoterminal; the test is the
/// terminal.
private final class SerialCable {
  private let path: String
  private let master: Int32
  private let adapter: Int32
  private var said: [UInt8] = []

  init(at path: String) throws {
    self.path = path
    master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    // ioctl_tty(2), TIOCSPTLCK and TIOCGPTN: macros that Swift cannot import.
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    let isUnlocked = unsafe ioctl(master, 0x4004_5431, &isLocked) == 0
    let isNamed = unsafe ioctl(master, 0x8004_5430, &number) == 0
    try #require(isUnlocked && isNamed)
    // Keeps this end open, because otherwise the other end hangs up before the recorder opens it.
    adapter = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/pts/\(number)")
  }

  /// Unplugs the adapter: its device is gone, and open descriptors are invalid.
  func pull() {
    try? FileManager.default.removeItem(atPath: path)
    close(adapter)
    close(master)
  }

  func press(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = unsafe write(master, bytes, bytes.count)
  }

  /// Types a line; its effect is awaited separately.
  func type(_ line: String) {
    read()
    said.removeAll()
    press(line + "\r")
  }

  /// Waits until the recorder has printed the text.
  func hear(_ text: String) throws {
    let deadline = Date(timeIntervalSinceNow: 120)
    while said.firstRange(of: Array(text.utf8)) == nil {
      try #require(Date() < deadline, "\(text) did not come: \(String(decoding: said.suffix(2_000), as: UTF8.self))")
      read()
      usleep(5_000)
    }
  }

  /// Waits for the prompt: input before the recorder has the line again may be lost.
  func awaitPrompt() throws {
    let deadline = Date(timeIntervalSinceNow: 120)
    while said.firstRange(of: Array("fieldcorder> ".utf8)) == nil {
      try #require(Date() < deadline, "nobody answers")
      press("\r")
      usleep(200_000)
      read()
    }
  }

  func status() throws -> RecorderStatus {
    type("status json")
    try hear("\"heap_allocations_since_boot_complete\":")
    try hear("}\r\n")
    let line = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).last { $0.hasPrefix("{") }
    return try RecorderStatus(line: String(try #require(line)))
  }

  private func read() {
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe Glibc.read(master, &part, part.count)
      guard count > 0 else { return }
      said += part.prefix(count)
    }
  }
}
