import Base
import CLinux
import Foundation
import TestSupport
import Testing

@testable import Machine

@Suite struct TerminalLineTests {
  @Test("A pipe is read as its bytes come, returns nothing meanwhile, and nil once its writer is closed")
  func readsAPipe() throws {
    let pipe = Pipe()
    var line = TerminalLine(input: pipe.fileHandleForReading.fileDescriptor, output: STDOUT_FILENO)
    let isTerminal = line.isTerminal
    #expect(!isTerminal)
    #expect(read(&line) == "")
    pipe.fileHandleForWriting.write(Data("status\n".utf8))
    #expect(read(&line) == "status\n")
    #expect(read(&line) == "")
    try pipe.fileHandleForWriting.close()
    #expect(read(&line) == nil)
  }

  @Test("A full pipe takes nothing more, without blocking")
  func writesAPipe() throws {
    let pipe = Pipe()
    var line = TerminalLine(input: STDIN_FILENO, output: pipe.fileHandleForWriting.fileDescriptor)
    let unsentByteCount = line.unsentByteCount
    #expect(unsentByteCount == nil)
    let piece = String(repeating: "A", count: 10_000)
    var total = 0
    while true {
      let count = write(piece, to: &line)
      if count == 0 { break }
      total += count
    }
    #expect(total == 65_536)
    #expect(fcntl(pipe.fileHandleForWriting.fileDescriptor, F_GETFL) & O_NONBLOCK == 0)
    #expect(try pipe.fileHandleForReading.read(upToCount: 4096)?.count == 4096)
    #expect(write(piece, to: &line) == 4096)
  }

  @Test("Bytes for a reader that is gone are accepted and lost")
  func survivesAGoneReader() throws {
    let stops = StopSignals()
    let pipe = Pipe()
    var line = TerminalLine(input: STDIN_FILENO, output: pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForReading.close()
    #expect(write("lost", to: &line) == 4)
    #expect(write("lost", to: &line) == 4)
    let isStopRequested = stops.isStopRequested
    #expect(!isStopRequested)
  }

  @Test("A terminal is read without echo and restored afterwards")
  func entersRawMode() throws {
    let (master, replica) = try openTerminal()
    defer { [master, replica].forEach { close($0) } }
    let before = try mode(of: replica)
    var line = TerminalLine(input: replica, output: replica)
    let isTerminal = line.isTerminal
    #expect(isTerminal)
    #expect(try mode(of: replica).c_lflag & tcflag_t(ECHO | ICANON) == 0)
    #expect(fcntl(replica, F_GETFL) & O_NONBLOCK == 0)
    // Ctrl-C, Ctrl-\\ and Ctrl-Z are ordinary bytes: none of them ends a take.
    #expect(unsafe Foundation.write(master, "\u{3}\u{1C}\u{1A}\u{4}x", 5) == 5)
    #expect(read(&line) == "\u{3}\u{1C}\u{1A}\u{4}x")
    #expect(write("a\n", to: &line) == 2)
    #expect(readAll(master) == "a\r\n")
    line.restore()
    #expect(try mode(of: replica).c_lflag == before.c_lflag)
  }

  @Test("A serial line is set up raw at its rate, goes away, and comes back by itself")
  func survivesALostLine() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "tty")
    var line = TerminalLine(device: SerialDevice(path: FixedText(path), baudRate: 115_200))
    let failure = #expect(throws: DeviceFailure.self) { try line.open() }
    #expect(failure?.kind == .absent)
    #expect(read(&line) == "")

    var (master, replica) = try openTerminal()
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: unsafe String(cString: ttyname(replica)))
    try line.open()
    let unsentByteCount = line.unsentByteCount
    #expect(unsentByteCount == 0)
    #expect(try ForeignProgram.text("stty", ["-F", path, "speed"]) == "115200")
    // Ctrl-D is noise here: a user of a serial line cannot end its input.
    #expect(unsafe Foundation.write(master, "o\u{4}ne\u{4}", 5) == 5)
    #expect(read(&line) == "one")
    #expect(unsafe Foundation.write(master, "\u{4}", 1) == 1)
    #expect(read(&line) == "")
    [master, replica].forEach { close($0) }
    #expect(read(&line) == "")
    #expect(write("lost", to: &line) == 4)

    (master, replica) = try openTerminal()
    defer { [master, replica].forEach { close($0) } }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: unsafe String(cString: ttyname(replica)))
    let deadline = Date(timeIntervalSinceNow: 60)
    while write("lost", to: &line) > 0, readAll(master).isEmpty, Date() < deadline {
      _ = read(&line)
      usleep(10_000)
    }
    #expect(unsafe Foundation.write(master, "two", 3) == 3)
    #expect(read(&line) == "two")
  }

  @Test("A serial line belongs to one recorder; another says so, and takes it when it is free")
  func sharesNoLine() throws {
    let (master, replica) = try openTerminal()
    defer { [master, replica].forEach { close($0) } }
    let device = SerialDevice(path: FixedText(unsafe String(cString: ttyname(replica))), baudRate: 115_200)
    var second = TerminalLine(device: device)
    do {
      var first = TerminalLine(device: device)
      try first.open()
      let failure = #expect(throws: DeviceFailure.self) { try second.open() }
      #expect(failure?.kind == .busy)
      #expect(failure.map { String($0.line).hasSuffix("is used by another program: end it") } == true)
      #expect(unsafe Foundation.write(master, "mine", 4) == 4)
      #expect(read(&second) == "")
      #expect(read(&first) == "mine")
    }
    #expect(unsafe Foundation.write(master, "ours", 4) == 4)
    let deadline = Date(timeIntervalSinceNow: 60)
    var heard = ""
    while heard.isEmpty, Date() < deadline {
      heard = read(&second) ?? ""
      usleep(10_000)
    }
    #expect(heard == "ours")
  }

  @Test("A rate that no port has is refused with the remedy")
  func refusesARate() throws {
    let (master, replica) = try openTerminal()
    defer { [master, replica].forEach { close($0) } }
    let path = unsafe String(cString: ttyname(replica))
    var line = TerminalLine(device: SerialDevice(path: FixedText(path), baudRate: 12_345))
    let failure = #expect(throws: DeviceFailure.self) { try line.open() }
    #expect(failure?.kind == .unsupported)
    #expect(failure.map { String($0.line).contains("115200") } == true)
  }

  private func read(_ line: inout TerminalLine) -> String? {
    var bytes = [UInt8](repeating: 0, count: 64)
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    guard let count = line.read(into: &buffer) else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func write(_ text: String, to line: inout TerminalLine) -> Int {
    let bytes = Array(text.utf8)
    return unsafe line.write(bytes.span.bytes)
  }

  private func openTerminal() throws -> (master: Int32, replica: Int32) {
    var master: Int32 = -1
    var replica: Int32 = -1
    try #require(unsafe openpty(&master, &replica, nil, nil, nil) == 0)
    return (master, replica)
  }

  private func mode(of terminal: Int32) throws -> termios {
    var mode = termios()
    try #require(unsafe tcgetattr(terminal, &mode) == 0)
    return mode
  }

  /// The output at the other end of a terminal so far.
  private func readAll(_ master: Int32) -> String {
    var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, 0) > 0 else { return "" }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe Foundation.read(master, &bytes, bytes.count)
    return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
  }
}
