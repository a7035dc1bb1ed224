import Foundation
import TestSupport
import Testing

/// The live view's own process, without a display: nothing that happens to it affects a take.
@Suite struct LiveViewTests {
  private static let configuration = """
    [view]
    device = /dev/dri/card-of-a-test
    [video]
    width = 160
    height = 120
    # The simulated camera has buffers for a second of these: others may hold the processors that long.
    frame_rate = 5

    """

  @Test("without a display one line reports it, and the process keeps looking for one")
  func absentDisplay() throws {
    let session = try Session(["wait 4", "quit"], clock: .real, configuration: Self.configuration)
    try session.waitForLines(1, beginningWith: "* display ")
    let processes = session.children(named: "fieldcorder-vi")
    #expect(processes.count == 1)
    let limits = try String(contentsOfFile: "/proc/\(try #require(processes.first))/status", encoding: .utf8)
    #expect(limits.contains("Seccomp:\t2\n") && limits.contains("NoNewPrivs:\t1\n"), "it has a filter of system calls")
    #expect(session.end() == 0)
    let lines = try session.lines().filter { $0.contains("card-of-a-test") || $0.contains("live view") }
    #expect(lines.count == 1, "\(lines)")
    #expect(lines.first?.hasPrefix("* display /dev/dri/card-of-a-test") == true)
    #expect(processes.allSatisfy(Self.isGone))
  }

  @Test("the simulated board starts no such process, unless a display is named")
  func noDisplay() throws {
    let session = try Session(["wait 1", "status json", "wait 2", "quit"], clock: .real)
    try session.waitForLines(1, beginningWith: "{")
    #expect(session.children(named: "fieldcorder-vi").isEmpty)
    #expect(session.end() == 0)
    #expect(try session.lines().filter { $0.contains("live view") || $0.hasPrefix("* display") } == [])
  }

  @Test("a font that cannot be used is reported in one line, and letters come from the next")
  func font() throws {
    let folder = try TemporaryFolder()
    let broken = try folder.write(Array("no font".utf8), as: "broken.ttf")
    for (path, words) in [("/no/font.ttf", "cannot be read: install"), (broken, "is no font of outlines")] {
      let configuration = Self.configuration.replacingOccurrences(of: "[view]\n", with: "[view]\nfont = \(path)\n")
      let session = try Session(["wait 4", "quit"], clock: .real, configuration: configuration)
      try session.waitForLines(1, beginningWith: "* font ")
      #expect(session.end() == 0)
      let lines = try session.lines().filter { $0.hasPrefix("* font ") }
      #expect(lines.count == 1 && lines[0].hasPrefix("* font \(path) \(words)"), "\(lines)")
    }
  }

  @Test("frozen and killed during a take, it is restarted, and every picture and sample is there")
  func disturbedTake() throws {
    let script = [
      "wait 2", "press record", "wait 1", "status json", "wait 9", "press record", "wait 2", "status json", "quit",
    ]
    let session = try Session(script, clock: .real, seed: 31, configuration: Self.configuration)
    try session.waitForLines(1, beginningWith: "{")
    let first = try Self.process(of: session, otherThan: [])
    kill(first, SIGSTOP)
    sleep(2)
    kill(first, SIGKILL)
    let second = try Self.process(of: session, otherThan: [first])
    kill(second, SIGKILL)
    // It stays stopped until the end, which does not wait for it.
    let third = try Self.process(of: session, otherThan: [first, second])
    kill(third, SIGSTOP)
    #expect(try session.statuses().count == 1, "the take was over before the process had come back twice")
    #expect(session.end() == 0)
    #expect([first, second, third].allSatisfy(Self.isGone))
    #expect(
      try session.lines().filter { $0.contains("live view") }
        == ["* live view: ended by signal 9, restarting it"])
    let status = try #require(try session.statuses().last)
    #expect(status.droppedVideoFrames == 0 && status.audioOverruns == 0)
    #expect(status.heapAllocationsSinceBootComplete == 0)
    #expect((11...14).contains(status.seconds))
    let movie = try RecordedMovie(try #require(session.takes().first))
    #expect(movie.firstGap == nil)
    #expect(movie.numbers.count == Int(status.videoFrames))
    let sound = HeardSound(try ForeignProgram.decodeSamples(movie.path), seed: 31)
    #expect(sound.frameCount == Int(status.audioFrames))
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
  }

  /// The process that runs now: it is restarted after one second the first time, then after two.
  private static func process(of session: Session, otherThan gone: [Int32]) throws -> Int32 {
    for _ in 0..<6_000 {
      if let number = session.children(named: "fieldcorder-vi").first(where: { !gone.contains($0) }) { return number }
      usleep(10_000)
    }
    throw NoProcess(complaints: try session.complaints())
  }

  /// Whether it has ended, as it does with the thread that started it; a zombie may wait until it is reaped.
  private static func isGone(_ number: Int32) -> Bool {
    for _ in 0..<6_000 {
      let line = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
      if line?.split(separator: ")").last?.hasPrefix(" Z") ?? true { return true }
      usleep(10_000)
    }
    return false
  }

  private struct NoProcess: Error {
    var complaints: [String]
  }
}
