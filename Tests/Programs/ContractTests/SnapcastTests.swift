import Base
import Foundation
import Machine
import TestSupport
import Testing

@testable import Wire

/// Debian's own player and server as references: snapclient plays the stream of `fieldcorder-monitor`, and the test
/// listens to snapserver as a fieldcorder would.
@Suite(.serialized) struct SnapcastPeerTests {
  @Test("What Debian's snapclient plays is bit for bit what is recorded, and the recorder notices nothing")
  func playsWhatIsRecorded() throws {
    let port = freePort()
    let monitor = try Monitor("snapcast_port = \(port)")
    let session = try Session(
      ["wait 1", "press record", "wait 12", "listeners", "press record", "wait 2", "status json", "quit"], clock: .real,
      seed: 51, configuration: monitor.recorderSettings + "[record]\nwhat = audio\naudio_format = wav\n")
    try monitor.waitForRecorder()
    try session.waitForLines(1, beginningWith: "* take ")
    let player = try Player(port: port)
    #expect(session.end() == 0)
    let status = try #require(try session.statuses().last)
    #expect(status.audioOverruns == 0 && status.heapAllocationsSinceBootComplete == 0)
    #expect(try session.lines().contains { $0.contains(" snapcast \(ProcessInfo.processInfo.hostName)") })
    let take = Data(
      try ForeignProgram.run(
        "ffmpeg", ["-v", "error", "-i", try #require(session.takes().first), "-f", "s16le", "-"]))
    // A player that a busy machine wakes late drops or repeats a frame to stay in sync.
    let pieces = player.end().pieces(byteCount: 4_000)
    let exactCount = pieces.count { take.range(of: $0) != nil }
    #expect(pieces.count > 200 && exactCount * 2 > pieces.count, "\(exactCount) of \(pieces.count)")
  }

  @Test("A shared song is played by Debian's snapclient from its first frame on, while a take is recorded")
  func playsWhatIsShared() throws {
    let port = freePort()
    let monitor = try Monitor("snapcast_port = \(port)")
    let folder = try TemporaryFolder()
    let frames = (1...UInt32(144_000)).flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let samples = try folder.write(frames, as: "samples")
    let data = folder.path(of: "data")
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    _ = try ForeignProgram.run(
      "ffmpeg", ["-v", "error", "-f", "s16le", "-ar", "48000", "-ac", "2", "-i", samples, data + "/song.wav"])
    let settings = "[speaker]\nformat = s16\n[record]\nwhat = audio\naudio_format = wav\n"
    let session = try Session(
      ["wait 1", "press record"], clock: .real, seed: 54, configuration: monitor.recorderSettings + settings,
      dataFolder: data, keeping: folder, isTalking: true)
    try monitor.waitForRecorder()
    try session.waitForLines(1, beginningWith: "* take ")
    let player = try Player(port: port)
    for command in [
      "wait 8", "share song.wav", "wait 6", "player", "share", "share off", "share", "share off", "wait 3",
    ] {
      session.say(command)
    }
    try session.waitForLines(1, beginningWith: "error: nothing is shared")
    #expect(try session.lines().contains { $0.hasPrefix("shared, speaker ") && $0.hasSuffix(" ns late") })
    for command in ["press record", "wait 2", "status json", "quit"] { session.say(command) }
    #expect(session.end() == 0)
    let status = try #require(try session.statuses().last)
    #expect(status.audioOverruns == 0 && status.heapAllocationsSinceBootComplete == 0)
    #expect(session.takes().count == 1)
    let played = player.end()
    // A player that a busy machine wakes late drops or repeats a frame to stay in sync.
    let pieces = stride(from: 0, to: frames.count - 4_000, by: 4_000).map { Data(frames[$0..<$0 + 4_000]) }
    let exactCount = pieces.count { played.range(of: $0) != nil }
    #expect(played.range(of: Data(frames[..<40])) != nil, "the song's first frames are missing")
    #expect(exactCount * 2 > pieces.count, "\(exactCount) of \(pieces.count)")
  }

  @Test("Whoever says nothing sensible to the players' port is cut off, and there are no more players than are allowed")
  func refusesStrangers() throws {
    let port = freePort()
    let monitor = try Monitor("snapcast_port = \(port)\nsnapcast_clients = 2")
    let session = try Session(
      ["wait 1", "press record", "wait 15", "quit"], clock: .real, seed: 52, configuration: monitor.recorderSettings)
    try monitor.waitForRecorder()
    try session.waitForLines(1, beginningWith: "* take ")
    for bytes in [
      "GET / HTTP/1.1\r\n\r\n" + String(repeating: " ", count: 26), #"{"jsonrpc":"2.0","method":"Server.GetStatus"}"#,
    ] {
      let stranger = Socket()
      #expect(stranger.connect(port: port))
      stranger.send(bytes)
      #expect(stranger.receive(atMost: 1).isEmpty)
    }
    // Two places are taken by idle connections; the third connection is refused at once.
    let idlers = [Socket(), Socket()]
    for idler in idlers { #expect(idler.connect(port: port)) }
    let third = Socket()
    #expect(third.connect(port: port))
    #expect(third.receive(atMost: 1).isEmpty)
    #expect(monitor.isRunning)
  }

  @Test("A fieldcorder's session with Debian's snapserver gets every frame of what it is given, each with its time")
  func listensToServer() throws {
    let server = try SnapServer(seconds: 10)
    var listener = try SnapcastListener(port: server.port)
    let frames = listener.run(frameCount: 96_000)
    #expect(frames.count >= 96_000)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.number == $0.number &+ 1 })
    // Frame times advance as evenly as frames, to the microsecond resolution of a chunk's timestamp. A server that a busy
    // machine delays moves the times of the rest on, from a chunk's first frame.
    let steps = zip(frames, frames.dropFirst()).map { frame, next in
      (
        nanoseconds: next.nanoseconds - frame.nanoseconds - 1_000_000_000 / 48_000, isFirstOfChunk: next.isFirstOfChunk
      )
    }
    let jumps = steps.filter { abs($0.nanoseconds) > 2_000 }
    #expect(jumps.allSatisfy { $0.isFirstOfChunk && $0.nanoseconds > 0 })
    #expect(jumps.count * 4 < steps.count { $0.isFirstOfChunk })
    // Both use the same clock, so the offset is only the difference between the two transit times.
    #expect(abs(listener.offsetNanoseconds ?? .infinity) < 20_000_000)
  }
}

/// Debian's snapclient, which writes its output to a file.
private final class Player {
  private let folder: TemporaryFolder
  private let process = Process()

  init(port: UInt16) throws {
    folder = try TemporaryFolder()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "snapclient", "--host", "127.0.0.1", "--port", "\(port)", "--hostID", "test", "--logsink", "null", "--player",
      "file:filename=\(folder.path(of: "played"))",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// - Returns: what it has played.
  func end() -> Data {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return Data((try? folder.read("played")) ?? [])
  }
}

extension Data {
  /// What follows the silence, in pieces of whole frames without silence.
  fileprivate func pieces(byteCount: Int) -> [Data] {
    stride(from: 0, to: count - byteCount, by: byteCount).map { self[$0..<$0 + byteCount] }
      .filter { $0.prefix(4) != Data(count: 4) && $0.suffix(4) != Data(count: 4) }
  }
}

/// A client's session over TCP.
private struct SnapcastListener: ~Copyable {
  struct Frame {
    var number: UInt32
    var nanoseconds: Int64
    var isFirstOfChunk: Bool
  }

  private let socket = Socket()
  private var session: ClientSession

  init(port: UInt16) throws {
    var memory = leakedBootMemory()
    let hello = Hello(hostName: "test", clientName: "fieldcorder", version: "0.1.0", id: "test")
    session = try unwrapped(ClientSession(hello, in: &memory))
    var triesLeft = 500
    while !socket.connect(port: port), triesLeft > 0 {
      usleep(10_000)
      triesLeft -= 1
    }
  }

  var offsetNanoseconds: Double? { session.clock.estimate?.offsetNanoseconds(at: Instant.now) }

  /// Listens until this many frames have arrived, or the server ends the connection.
  mutating func run(frameCount: Int) -> [Frame] {
    var frames: [Frame] = []
    while frames.count < frameCount {
      say()
      let bytes = socket.receive(atMost: 1)
      guard !bytes.isEmpty else { break }
      unsafe session.receive(bytes.span.bytes, at: Instant.now) { chunk, sound in
        for index in 0..<chunk.byteCount / 4 {
          var number: UInt32 = 0
          for byte in 0..<4 { number |= UInt32(sound.byte(at: index * 4 + byte)) << (8 * byte) }
          let nanoseconds = chunk.recorded.nanoseconds + Int64(index) * 1_000_000_000 / 48_000
          // Silence that the server inserted does not count as a frame.
          if number != 0 { frames.append(Frame(number: number, nanoseconds: nanoseconds, isFirstOfChunk: index == 0)) }
        }
      }
    }
    return frames
  }

  private mutating func say() {
    var bytes = [UInt8](repeating: 0, count: SnapcastLimits.replyByteCount)
    while true {
      var span = bytes.mutableSpan
      var room = unsafe span.mutableBytes
      let count = session.nextMessage(into: &room, at: Instant.now)
      guard count > 0 else { return }
      socket.send(Array(bytes[..<count]))
    }
  }
}
