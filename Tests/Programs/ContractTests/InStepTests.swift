import Base
import Foundation
import Machine
import TestSupport
import Testing

/// What the monitor's page receives to play sound in sync with other players: the time of each frame, and the clock in
/// which it is counted.
@Suite(.serialized) struct InStepTests {
  private static let rate = 48_000

  @Test("The clock is the recorder's, and says how much later than recorded sound is heard by all")
  func tellsTime() throws {
    let monitor = try Monitor("snapcast_buffer_milliseconds = 700")
    let before = Instant.now.rawValue
    let bytes = try ForeignProgram.run("curl", ["-sSf", monitor.url("/clock")])
    let after = Instant.now.rawValue
    let told = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let nanoseconds = try #require((told["nanoseconds"] as? NSNumber)?.uint64Value)
    #expect(before <= nanoseconds && nanoseconds <= after)
    #expect(told["buffer_milliseconds"] as? Int == 700)
  }

  @Test("A shared song's frames have exact times from the first on, the same for who joins late, also after a pause")
  func tellsWhen() throws {
    let monitor = try Monitor()
    let folder = try TemporaryFolder()
    let numbers = (1...UInt32(20 * Self.rate)).flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let samples = try folder.write(numbers, as: "samples")
    let data = folder.path(of: "data")
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    _ = try ForeignProgram.run(
      "ffmpeg", ["-v", "error", "-f", "s16le", "-ar", "48000", "-ac", "2", "-i", samples, data + "/song.wav"])
    let session = try Session(
      ["prepare song.wav"], clock: .real, seed: 55,
      configuration: monitor.recorderSettings + "[speaker]\nformat = s16\n[record]\nwhat = audio\n", dataFolder: data,
      keeping: folder, isTalking: true)
    try monitor.waitForRecorder()
    try session.waitForLines(1, beginningWith: "* player prepared")
    let early = try monitor.download("/live.timed")
    early.wait(forBytes: 20_000)
    for command in ["share song.wav", "wait 2.5", "pause", "wait 1", "play", "wait 1.5", "version"] {
      session.say(command)
    }
    usleep(1_500_000)
    let late = try monitor.download("/live.timed")
    try session.waitForLines(1, beginningWith: "fieldcorder ")
    // In this order, so that the second download has all that the first has.
    let heardLate = Pieces(late.bytes())
    usleep(200_000)
    let heard = Pieces(early.bytes())
    session.say("quit")
    #expect(session.end() == 0)

    #expect(heard.isWhole && heardLate.isWhole)
    let song = heard.instants(rate: Self.rate)
    let lateSong = heardLate.instants(rate: Self.rate)
    #expect(song[1] != nil, "the song's first frame is missing")
    let lateFirst = try #require(lateSong.keys.min())
    #expect(lateFirst > Self.rate / 2 && lateSong.count > Self.rate)
    // Each time is rounded to a nanosecond separately.
    #expect(
      lateSong.allSatisfy { frame, instant in song[frame].map { $0.distance(to: instant).magnitude <= 1 } ?? false })
    // Before and after the pause, frames and times advance evenly.
    let begin = try #require(song[1])
    let delays = song.map { frame, instant in
      Double(instant) - Double(begin) - Double(frame - 1) * 1e9 / Double(Self.rate)
    }
    let (played, delayed) = (delays.filter { $0 < 1e8 }, delays.filter { $0 >= 1e8 })
    #expect(
      played.count > Self.rate && played.allSatisfy { abs($0) < 1_000 }, "\(played.min() ?? 0) … \(played.max() ?? 0)")
    let pause = try #require(delayed.min())
    #expect(delayed.count > Self.rate / 2 && delayed.allSatisfy { $0 < pause + 1_000 })
    #expect(pause > 0.9e9 && pause < 2e9, "\(pause)")
  }

  @Test("The microphone's pieces follow each other as evenly as its card runs, none from the future")
  func tellsWhenRecorded() throws {
    let monitor = try Monitor()
    let session = try Session(["wait 60"], clock: .real, seed: 56, configuration: monitor.recorderSettings)
    try monitor.waitForRecorder()
    let download = try monitor.download("/live.timed")
    download.wait(forBytes: 300_000)
    let pieces = Pieces(download.bytes())
    let now = Instant.now.rawValue
    #expect(pieces.isWhole && pieces.all.count > 50)
    for (one, next) in zip(pieces.all, pieces.all.dropFirst()) {
      let due = one.recorded + UInt64(one.frames.count) * 1_000_000_000 / UInt64(Self.rate)
      #expect(due.distance(to: next.recorded).magnitude < 1_000_000)
    }
    let last = try #require(pieces.all.last)
    #expect(last.recorded < now && now - last.recorded < 5_000_000_000)
    session.send(SIGTERM)
    #expect(session.end() == 0)
  }
}

/// The received part of a stream of timed pieces.
private struct Pieces {
  struct Piece {
    var recorded: UInt64
    var rate: UInt32
    var channelCount: UInt16
    /// Two 16-bit channels, combined in one number.
    var frames: [UInt32]
  }

  var all: [Piece] = []

  init(_ bytes: [UInt8]) {
    func number(at start: Int, _ byteCount: Int) -> UInt64 {
      (0..<byteCount).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
    }
    var start = 0
    while start + 16 <= bytes.count {
      let frameCount = Int(number(at: start + 14, 2))
      let end = start + 16 + frameCount * 4
      guard end <= bytes.count else { return }
      all.append(
        Piece(
          recorded: number(at: start, 8), rate: UInt32(number(at: start + 8, 4)),
          channelCount: UInt16(number(at: start + 12, 2)),
          frames: (0..<frameCount).map { UInt32(number(at: start + 16 + $0 * 4, 4)) }))
      start = end
    }
  }

  /// Whether each piece is 20 ms of two channels at 48 kHz.
  var isWhole: Bool { all.allSatisfy { $0.rate == 48_000 && $0.channelCount == 2 && $0.frames.count == 960 } }

  /// When each frame of a song that counts its frames was recorded. Runs of fewer than 16 counted frames belong to the
  /// microphone.
  func instants(rate: Int) -> [Int: UInt64] {
    let frames = all.flatMap { piece in
      piece.frames.enumerated().map { index, number in
        (number: Int(number), recorded: piece.recorded + UInt64(index) * 1_000_000_000 / UInt64(rate))
      }
    }
    var instants: [Int: UInt64] = [:]
    var start = 0
    for end in 1...max(1, frames.count) where start < frames.count {
      if end < frames.count, frames[end].number == frames[end - 1].number + 1 { continue }
      if end - start >= 16 { for frame in frames[start..<end] { instants[frame.number] = frame.recorded } }
      start = end
    }
    return instants
  }
}
