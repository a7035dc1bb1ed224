import Foundation
import Synchronization
import TestSupport
import Testing

/// `kill -9` during a take: what was recorded is kept, in every format.
@Suite struct KillTests {
  static let formats = ["mov", "aiff", "caf", "wav"]
  private static let killCount = Cases.count(40, of: 200)

  /// What was left after one kill.
  private struct Remains {
    var toldSeconds = 0.0
    var heldSeconds = 0.0
    var problem: String?
  }

  @Test("a take killed at any moment can be opened, and at most its last second is missing", arguments: formats)
  func kill(format: String) {
    let remains = Mutex([Remains](repeating: Remains(), count: Self.killCount))
    DispatchQueue.concurrentPerform(iterations: Self.killCount) { index in
      var one = Remains()
      do { one = try Self.killed(format, seed: UInt64(index)) } catch { one.problem = "\(error)" }
      remains.withLock { $0[index] = one }
    }
    for (index, one) in remains.withLock({ $0 }).enumerated() {
      #expect(one.problem == nil, "kill \(index)")
      #expect(one.heldSeconds >= one.toldSeconds - 1, "kill \(index): status told \(one.toldSeconds) s")
    }
    #expect(remains.withLock { $0.count { $0.toldSeconds > 1 } } > Self.killCount / 2, "too few kills met a take")
  }

  @Test("the next start completes what a kill left open", arguments: formats)
  func repair(format: String) throws {
    let session = try Self.killedSession(format, seed: 77, statusCount: 40)
    let path = try #require(session.takes().first)
    let next = try Session(
      ["wait 2", "status json", "quit"], configuration: Self.configuration(format), dataFolder: session.dataFolder)
    #expect(next.end() == 0)
    let name = String(path.dropFirst(session.dataFolder.count + 1))
    #expect(try next.lines().count { $0.hasPrefix("* take \(name) ") && $0.hasSuffix("complete now") } == 1)
    let seconds = try #require(
      Double(
        ForeignProgram.text("ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path])))
    let told = try #require(try session.statuses().last).seconds
    #expect(seconds >= told - 1)
    let sound = HeardSound(try ForeignProgram.decodeSamples(path), seed: 77)
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
    guard format == "mov" else { return }
    #expect(try RecordedMovie(path).firstGap == nil)
    #expect(try ForeignProgram.probe(path, stream: "v:0", entry: "nb_frames") != "N/A")
  }

  @Test(
    "the next start goes on with a take that a kill ended, and its file names the one before",
    arguments: ["mov", "caf"])
  func resume(format: String) throws {
    let session = try Self.killedSession(format, seed: 78, statusCount: 40)
    let name = try #require(session.takes().first).dropFirst(session.dataFolder.count + 1)
    let next = try Session(
      ["wait 3", "status json", "record stop", "wait 1", "quit"], configuration: Self.configuration(format),
      dataFolder: session.dataFolder)
    #expect(next.end() == 0)
    #expect(try next.statuses().last?.state == "recording")
    let path = try #require(next.takes().last)
    let newName = path.dropFirst(next.dataFolder.count + 1)
    #expect(try next.lines().contains("* take \(newName) continues \(name), which was interrupted"))
    let tag = try ForeignProgram.text(
      "ffprobe",
      ["-v", "error", "-show_entries", "format_tags=org.fieldcorder.continues", "-of", "csv=p=0", path])
    #expect(tag == name.split(separator: "/").last.map(String.init))
    let third = try Session(["wait 1", "status json", "quit"], dataFolder: session.dataFolder)
    #expect(third.end() == 0)
    #expect(try third.statuses().last?.state == "armed")
  }

  private static func configuration(_ format: String) -> String {
    """
    [record]
    what = \(format == "mov" ? "video" : "audio")
    audio_format = \(format == "mov" ? "wav" : format)
    preroll_seconds = 2
    [video]
    width = 160
    height = 120

    """
  }

  private static func killedSession(_ format: String, seed: UInt64, statusCount: Int) throws -> Session {
    let polling = (0..<3_000).flatMap { _ in ["wait 0.1", "status json"] }
    let session = try Session(["wait 3", "press record"] + polling, seed: seed, configuration: configuration(format))
    try session.waitForLines(statusCount, beginningWith: "{")
    session.send(SIGKILL)
    guard session.end() == -SIGKILL else { throw Refused(complaints: try session.complaints()) }
    return session
  }

  private struct Refused: Error {
    var complaints: [String]
  }

  private static func killed(_ format: String, seed: UInt64) throws -> Remains {
    var generator = SeededGenerator(seed: seed)
    let session = try killedSession(format, seed: seed, statusCount: Int.random(in: 1...150, using: &generator))
    let told = try session.lastStatus { $0.state == "recording" && $0.take != nil }
    guard let path = session.takes().first else { return Remains(toldSeconds: told?.seconds ?? 0) }
    return Remains(toldSeconds: told?.seconds ?? 0, heldSeconds: try ForeignProgram.soundSeconds(path))
  }
}
