import Foundation
import TestSupport
import Testing

/// A fieldcorder that plays another program's stream in sync, over local TCP, in real time.
@Suite(.serialized) struct ListenTests {
  @Test("What Debian's snapserver sends is heard in order, by who joins late, and again when the server is back")
  func listensToSnapserver() throws {
    let server = try SnapServer(seconds: 90)
    let listener = try Listener()
    listener.session.say("listen 127.0.0.1 \(server.port)")
    try listener.wait("four seconds of sound") { try listener.heard().count > 192_000 }
    server.stop()
    try listener.wait("news of it") {
      try listener.session.lines().contains("* stream was cut off: reconnecting in 0.125 s")
    }
    try server.start()
    try listener.wait("two seconds of sound again") {
      let lives = try listener.lives()
      return lives.count == 2 && lives[1].count > 96_000
    }
    let known = try server.status()
    let lines = try listener.end(saying: ["player", "rate 2", "listen off", "player", "listen off"])
    for life in try listener.lives() { expectInOrder(life) }
    #expect(lines.contains("* stream is in sync") && lines.contains("* stream is silent"))
    #expect(lines.contains("state playing") && lines.contains { $0.hasPrefix("sync ") && $0.hasSuffix(" ns late") })
    #expect(lines.contains("format pcm_s16le, 48000 Hz, 2 channels"))
    #expect(lines.contains("buffer 4096 bytes") && lines.contains("packets a read 1"))
    #expect(lines.contains("error: the rate of a synchronised stream cannot be changed"))
    #expect(lines.contains("state none") && lines.contains("error: nothing is open: prepare a file first"))
    let status = try #require(try listener.session.statuses().last)
    #expect(status.heapAllocationsSinceBootComplete == 0)
    // Two recorders may have the same host name.
    #expect(known.contains("\"id\":\"\(status.uuid.uuidString.lowercased())\""))
  }

  @Test("When a server turns to sound of another format, that is heard next")
  func followsFormat() throws {
    let server = try SnapServer(seconds: 90)
    let listener = try Listener()
    listener.session.say("listen 127.0.0.1 \(server.port)")
    try listener.wait("two seconds of sound") { try listener.heard().count > 96_000 }
    try server.changeFormat()
    func news() throws -> [String] { try listener.session.lines() }
    try listener.wait("the other format") { try news().contains("* stream connected: pcm 44100:16:2") }
    try listener.wait("sound") { try news().count { $0 == "* stream is in sync" } == 2 }
    let lines = try listener.end(saying: ["player", "listen off"])
    #expect(lines.contains("state playing") && lines.contains("format pcm_s16le, 44100 Hz, 2 channels"))
  }

  @Test("What another fieldcorder records is heard bit for bit, by who joins while a take is open")
  func listensToFieldcorder() throws {
    let port = freePort()
    let monitor = try Monitor("snapcast_port = \(port)")
    let source = try Session(
      ["wait 1", "press record"], clock: .real, seed: 53,
      configuration: monitor.recorderSettings + "[record]\nwhat = audio\naudio_format = wav\n", isTalking: true)
    try monitor.waitForRecorder()
    try source.waitForLines(1, beginningWith: "* take ")
    let listener = try Listener()
    listener.session.say("listen 127.0.0.1 \(port)")
    try listener.wait("four seconds of sound") { try listener.heard().count > 192_000 }
    _ = try listener.end(saying: ["stop"])
    for command in ["press record", "wait 2", "quit"] { source.say(command) }
    #expect(source.end() == 0)
    let take = Data(
      try ForeignProgram.run(
        "ffmpeg", ["-v", "error", "-i", try #require(source.takes().first), "-f", "s16le", "-"]))
    // A block that was stretched or shortened by a frame differs from what was recorded.
    let heard = Data(try listener.heardBytes())
    let pieces = stride(from: 0, to: heard.count - 4_000, by: 4_000).map { heard[$0..<$0 + 4_000] }
      .filter { $0.prefix(4) != Data(count: 4) && $0.suffix(4) != Data(count: 4) }
    let exactCount = pieces.count { take.range(of: $0) != nil }
    #expect(pieces.count > 150 && exactCount * 2 > pieces.count, "\(exactCount) of \(pieces.count)")
  }

  @Test("Nobody there, another protocol and another codec are told apart, and a host is one")
  func tellsProblems() throws {
    let flac = try SnapServer(seconds: 1, codec: "flac")
    let bench = try StreamBench()
    let nobody = freePort()
    let run = try Listening(
      [
        "listen 127.0.0.1 \(nobody)", "listen 127.0.0.1 \(bench.port)", "listen localhost \(flac.port)", "listen",
        "listen a/b", "listen 127.0.0.1 70000", "listen none.invalid",
      ], configuration: bench.configuration, clock: .real)
    #expect(
      run.errors == [
        "listen 127.0.0.1 \(nobody): error: stream snapcast://127.0.0.1:\(nobody) cannot be reached: check the address and the network",
        "listen 127.0.0.1 \(bench.port): error: stream snapcast://127.0.0.1:\(bench.port) has a server that does not speak Snapcast's protocol: check its address",
        "listen localhost \(flac.port): error: stream snapcast://localhost:\(flac.port) sends sound other than 16-bit PCM, or changed its format: set the server's codec to pcm, and its samples to 16 bits",
        "listen: error: listen expects a host, or off",
        "listen a/b: error: listen expects a host, or off, not \"a/b\"",
        "listen 127.0.0.1 70000: error: listen expects a port of 1…65535, not \"70000\"",
        "listen none.invalid: error: stream snapcast://none.invalid:1704 has an unknown host: check the address and the network",
      ])
  }

  /// Expects that frames are consecutive except where a block was stretched or shortened by a frame, or a busy machine
  /// was late; and that none is repeated.
  private func expectInOrder(_ frames: [UInt32]) {
    let pairs = zip(frames, frames.dropFirst())
    #expect(pairs.count { $1 == $0 + 1 } * 2 > frames.count)
    var last: UInt32 = 0
    var run: UInt32 = 0
    for (one, next) in pairs {
      run = next == one + 1 ? run + 1 : 0
      guard run == 100 else { continue }
      #expect(next > last)
      last = next
    }
  }
}

/// A recorder with a fetching service, and a speaker whose output is kept.
private final class Listener {
  let session: Session
  private let bench: StreamBench
  private let data: String

  struct TooLong: Error { var awaited: String }

  init() throws {
    bench = try StreamBench()
    let folder = try TemporaryFolder()
    data = folder.path(of: "data")
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    session = try Session(
      [], clock: .real, configuration: bench.configuration + Self.speaker, dataFolder: data, keeping: folder,
      isTalking: true)
  }

  private static let speaker = """
    [speaker]
    sample_rate = 48000
    channels = 2
    format = s16
    [sim]
    speaker_file = heard.raw

    """

  /// Waits for a condition, for at most a minute.
  func wait(_ awaited: String, until isMet: () throws -> Bool) throws {
    for _ in 0..<600 {
      if try isMet() { return }
      usleep(100_000)
    }
    throw TooLong(awaited: awaited + ": " + (try session.lines().joined(separator: "\n")))
  }

  func heardBytes() throws -> [UInt8] {
    (try? [UInt8](Data(contentsOf: URL(fileURLWithPath: data + "/heard.raw")))) ?? []
  }

  /// The numbers of the frames that were heard, without silence.
  func heard() throws -> [UInt32] {
    let bytes = try heardBytes()
    return stride(from: 0, to: bytes.count / 4 * 4, by: 4).compactMap { offset in
      var number: UInt32 = 0
      for byte in 0..<4 { number |= UInt32(bytes[offset + byte]) << (8 * byte) }
      return number > 0 ? number : nil
    }
  }

  /// The same, separately for each start of the server, which begins with the first frame each time.
  func lives() throws -> [[UInt32]] {
    var lives: [[UInt32]] = [[]]
    for frame in try heard() {
      // Between two frames whose numbers differ in the upper half, a block that was stretched by a frame has a value
      // that is up to 65,536 off.
      if let last = lives[lives.count - 1].last, frame + 100_000 < last { lives.append([]) }
      lives[lives.count - 1].append(frame)
    }
    return lives
  }

  /// - Returns: all output of the recorder.
  func end(saying commands: [String]) throws -> [String] {
    for command in commands + ["wait 1", "status json", "quit"] { session.say(command) }
    #expect(session.end() == 0)
    return try session.lines()
  }
}
