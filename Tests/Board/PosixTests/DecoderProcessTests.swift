import Base
import CHeapMeter
import CLinux
import Foundation
import TestSupport
import Testing
import Wire

@testable import Machine

@Suite struct DecoderProcessTests {
  @Test("A process reports that it is ready, takes orders one after the other, and has ended once it is stopped")
  func talks() throws {
    let rig = try DecoderRig()
    var decoder = try rig.decoder()
    expectNone(decoder)
    try decoder.start()
    #expect(try answer(&decoder) == .ready)
    for frame in 0..<500 as Range<UInt64> {
      try decoder.send(.fill(endFrame: frame))
      #expect(try answer(&decoder) == .filled(endFrame: frame, PacketReading()))
    }
    #expect(try decoder.receive(waitNanoseconds: 0) == nil)
    let process = try number(of: decoder)
    decoder.stop()
    expectNone(decoder)
    #expect(kill(process, 0) == -1)
    let failure = #expect(throws: DeviceFailure.self) { try decoder.send(.close) }
    #expect(failure?.kind == .absent)
  }

  @Test("A file is opened for the process, by a path below the data folder or an absolute one")
  func sendsFiles() throws {
    let rig = try DecoderRig(files: ["music/노래.txt": "inside"])
    let elsewhere = try TemporaryFolder()
    _ = try elsewhere.write(Array("outside".utf8), as: "file")
    var decoder = try rig.startedDecoder()
    try decoder.send(.probe(requestID: 7), withFileAt: "music/노래.txt")
    #expect(try title(&decoder, requestID: 7) == "inside")
    try decoder.send(.open(requestID: 8, ringFrame: 0), withFileAt: FixedText(elsewhere.path(of: "file")))
    #expect(try title(&decoder, requestID: 8) == "outside")
    let mine = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    for requestID in 0..<200 as Range<UInt32> {
      try decoder.send(.openNext(requestID: requestID), withFileAt: "music/노래.txt")
      #expect(try title(&decoder, requestID: requestID) == "inside")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count < mine + 100)
  }

  @Test(
    "A path that is no ordinary file is refused before it is opened, and nothing is sent",
    arguments: [
      ("none", "storage none cannot be opened (errno 2): it does not exist; check --data"),
      ("folder", "storage folder is a folder or a device (errno 22): name a file"),
      ("/dev/zero", "storage /dev/zero is a folder or a device (errno 22): name a file"),
      ("pipe", "storage pipe is a folder or a device (errno 22): name a file"),
    ])
  func refusesFiles(path: String, line: String) throws {
    let rig = try DecoderRig(files: ["folder/file": ""])
    #expect(unsafe mkfifo(rig.folder.path(of: "pipe"), 0o600) == 0)
    var decoder = try rig.startedDecoder()
    let failure = #expect(throws: DeviceFailure.self) {
      try decoder.send(.probe(requestID: 1), withFileAt: FixedText(path))
    }
    #expect(failure.map { String($0.line) } == line)
    #expect(failure?.device == .storage)
    try decoder.send(.fill(endFrame: 5))
    #expect(try answer(&decoder) == .filled(endFrame: 5, PacketReading()))
  }

  @Test("A process killed from outside is noticed at the next receive, reaped and reported; another can be started")
  func noticesDeath() throws {
    let rig = try DecoderRig()
    var decoder = try rig.startedDecoder()
    for _ in 0..<5 {
      let process = try number(of: decoder)
      kill(process, SIGKILL)
      let failure = #expect(throws: DeviceFailure.self) { _ = try decoder.receive(waitNanoseconds: 60_000_000_000) }
      #expect(
        failure.map { String($0.line) }
          == "decoder fieldcorder-decode (signal 9) was killed from outside, or for lack of memory: "
          + "it is restarted")
      #expect(failure?.device == .decoder)
      expectNone(decoder)
      #expect(kill(process, 0) == -1)
      try decoder.start()
      #expect(try answer(&decoder) == .ready)
    }
  }

  @Test(
    "The failure reports how a process ended",
    arguments: [
      ("exit 3", "decoder fieldcorder-decode (exit 3) exited with an error: it is restarted"),
      ("exit 0", "decoder fieldcorder-decode (exit 0) exited unexpectedly: it is restarted"),
      ("signal 11", "decoder fieldcorder-decode (signal 11) crashed on its input: it is restarted"),
      (
        "signal 31",
        "decoder fieldcorder-decode (signal 31) was killed: it made a system call that is not allowed: "
          + "it is restarted"
      ),
      ("say 40 65", "decoder fieldcorder-decode sent an invalid message: it is restarted"),
      ("say 512 0", "decoder fieldcorder-decode sent an invalid message: it is restarted"),
      ("say 5000 1", "decoder fieldcorder-decode sent an invalid message: it is restarted"),
      ("files", "decoder fieldcorder-decode sent an invalid message: it is restarted"),
    ])
  func tellsEnding(command: String, line: String) throws {
    let rig = try DecoderRig(files: ["command": command])
    var decoder = try rig.startedDecoder()
    let process = try number(of: decoder)
    try decoder.send(.probe(requestID: 1), withFileAt: "command")
    let failure = #expect(throws: DeviceFailure.self) { _ = try decoder.receive(waitNanoseconds: 60_000_000_000) }
    #expect(failure.map { String($0.line) } == line)
    expectNone(decoder)
    #expect(kill(process, 0) == -1)
    try decoder.start()
    #expect(try answer(&decoder) == .ready)
  }

  @Test("A process that closes its socket and goes on is killed")
  func endsTheSilent() throws {
    let rig = try DecoderRig(files: ["command": "close"])
    var decoder = try rig.startedDecoder()
    let process = try number(of: decoder)
    try decoder.send(.probe(requestID: 1), withFileAt: "command")
    #expect(throws: DeviceFailure.self) { _ = try decoder.receive(waitNanoseconds: 60_000_000_000) }
    #expect(kill(process, 0) == -1)
  }

  @Test("Messages sent before a crash are received first")
  func receivesLastWords() throws {
    let rig = try DecoderRig(files: ["word": "last word", "end": "exit 9"])
    var decoder = try rig.startedDecoder()
    let process = try number(of: decoder)
    try decoder.send(.probe(requestID: 1), withFileAt: "word")
    try decoder.send(.probe(requestID: 2), withFileAt: "end")
    var status = unsafe siginfo_t()
    #expect(unsafe waitid(P_PID, id_t(process), &status, WEXITED | WNOWAIT) == 0)
    #expect(try title(&decoder, requestID: 1) == "last word")
    let failure = #expect(throws: DeviceFailure.self) { _ = try decoder.receive(waitNanoseconds: 0) }
    #expect(failure.map { String($0.subject) } == "fieldcorder-decode (exit 9)")
  }

  @Test("A frozen process blocks nothing: a receive waits as long as requested, a send for half a second")
  func endsTheFrozen() throws {
    let rig = try DecoderRig()
    var decoder = try rig.startedDecoder()
    let process = try number(of: decoder)
    kill(process, SIGSTOP)
    let start = ContinuousClock.now
    #expect(try decoder.receive(waitNanoseconds: 100_000_000) == nil)
    #expect(start.duration(to: .now) >= .milliseconds(100))
    var sentCount = 0
    let sending = ContinuousClock.now
    let failure = #expect(throws: DeviceFailure.self) {
      while sentCount < 100_000 {
        try decoder.send(.fill(endFrame: 1))
        sentCount += 1
      }
    }
    #expect(failure.map { String($0.problem.description) } == "accepts no more requests")
    #expect(sentCount >= 64)
    // Anything beyond half a second is only the load of the machine.
    #expect((.milliseconds(500) ... .seconds(60)).contains(sending.duration(to: .now)))
    expectNone(decoder)
    #expect(kill(process, 0) == -1)
    try decoder.start()
    #expect(try answer(&decoder) == .ready)
    kill(try number(of: decoder), SIGSTOP)
    decoder.stop()
    expectNone(decoder)
  }

  @Test("Frames that the process writes into the ring stay visible here, also after a crash, and it cannot truncate it")
  func sharesTheRing() throws {
    let rig = try DecoderRig(files: ["one": "ring 17", "two": "ring 34", "cut": "cut"])
    var decoder = try rig.startedDecoder()
    let ring = unsafe decoder.ringMemory
    #expect(ring.count == DecoderRig.ringByteCount)
    #expect(unsafe ring.allSatisfy { $0 == 0 })
    for (path, byte) in [("one", 17), ("two", 34)] as [(String, UInt8)] {
      try decoder.send(.probe(requestID: 1), withFileAt: FixedText(path))
      #expect(try title(&decoder, requestID: 1) == "filled")
      #expect(unsafe ring.allSatisfy { $0 == byte })
      try decoder.send(.probe(requestID: 2), withFileAt: "cut")
      #expect(try title(&decoder, requestID: 2) == "-1 \(EPERM)")
      try decoder.start()
      #expect(try answer(&decoder) == .ready)
    }
    let prober = try DecoderProcess(
      program: DecoderRig.standIn, dataFolder: FixedText(rig.folder.path), ringByteCount: 0, format: DecoderRig.format,
      isInStep: false)
    let byteCount = unsafe prober.ringMemory.count
    #expect(byteCount == 0)
  }

  @Test("A missing program is reported with its remedy, and a data folder is required")
  func needsItsProgram() throws {
    let rig = try DecoderRig()
    var decoder = try rig.decoder(program: "/nowhere/fieldcorder-decode")
    let failure = #expect(throws: DeviceFailure.self) { try decoder.start() }
    #expect(
      failure.map { String($0.line) }
        == "decoder fieldcorder-decode cannot be started (errno 2): install it beside fieldcorder")
    #expect(failure?.kind == .absent)
    expectNone(decoder)
    #expect(throws: DeviceFailure.self) {
      _ = try DecoderProcess(
        program: nil, dataFolder: "/nowhere", ringByteCount: 0, format: DecoderRig.format, isInStep: false)
    }
  }

  @Test("The process has its command line, no environment, no blocked or ignored signal, and no foreign socket")
  func startsClean() throws {
    let rig = try DecoderRig()
    var stops = sigset_t()
    unsafe sigemptyset(&stops)
    unsafe sigaddset(&stops, SIGTERM)
    var before = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, &stops, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var first = try rig.startedDecoder()
    var second = try rig.startedDecoder()
    let process = try number(of: second)
    let words = try String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8).split(separator: "\0")
    #expect(words[0] == "fieldcorder-decode")
    #expect(words.suffix(8).joined(separator: " ") == "--ring-bytes 8192 --rate 48000 --channels 2 --format s16")
    #expect(try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/environ")).isEmpty)
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    #expect(status.contains("SigBlk:\t0000000000000000"))
    // The C library reserves the first two real-time signals.
    let ignored = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }).suffix(16)
    #expect(UInt64(ignored, radix: 16).map { $0 & 0x7FFF_FFFF } == 0)
    // The first one's end is noticed only if the second has not inherited its socket.
    kill(try number(of: first), SIGKILL)
    #expect(throws: DeviceFailure.self) { _ = try first.receive(waitNanoseconds: 60_000_000_000) }
    try second.send(.fill(endFrame: 3))
    #expect(try answer(&second) == .filled(endFrame: 3, PacketReading()))
  }

  @Test("Starting, sending, receiving and stopping do not use the heap")
  func spendsNoHeap() throws {
    let rig = try DecoderRig(files: ["file": "x"])
    var decoder = try rig.startedDecoder()
    let path: FixedText<256> = "file"
    try talkOnce(&decoder, path)
    let before = heap_meter_count_of_thread()
    try talkOnce(&decoder, path)
    let after = heap_meter_count_of_thread()
    #expect(before > 0)
    #expect(after == before)
  }

  private func talkOnce(_ decoder: inout DecoderProcess, _ path: FixedText<256>) throws(DeviceFailure) {
    try decoder.start()
    while try decoder.receive(waitNanoseconds: 60_000_000_000) != .ready {}
    try decoder.send(.fill(endFrame: 1))
    try decoder.send(.probe(requestID: 1), withFileAt: path)
    for _ in 0..<2 { _ = try decoder.receive(waitNanoseconds: 60_000_000_000) }
    decoder.stop()
  }

  private func number(of decoder: borrowing DecoderProcess) throws -> Int32 {
    let number = decoder.processNumber
    return try #require(number)
  }

  private func expectNone(_ decoder: borrowing DecoderProcess, at place: SourceLocation = #_sourceLocation) {
    let isRunning = decoder.isRunning
    #expect(!isRunning, sourceLocation: place)
  }

  private func answer(_ decoder: inout DecoderProcess) throws -> DecoderMessage? {
    try decoder.receive(waitNanoseconds: 60_000_000_000)
  }

  private func title(_ decoder: inout DecoderProcess, requestID: UInt32) throws -> String? {
    guard case .opened(requestID, let properties, _) = try answer(&decoder) else { return nil }
    return String(properties.title)
  }
}
