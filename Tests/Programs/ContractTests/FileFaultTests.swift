import Foundation
import TestSupport
import Testing

/// The real program while file system calls fail, or do only part of what is requested.
@Suite final class FileFaultTests {
  private let folder: TemporaryFolder
  private let faults: FileFaults

  init() throws {
    folder = try TemporaryFolder()
    faults = try FileFaults(in: folder)
  }

  /// Takes in each kind of file.
  private func configuration(_ seed: UInt64) -> String {
    let kinds = ["what = video", "what = audio\naudio_format = wav", "what = audio\naudio_format = caf"]
    return "[record]\n\(kinds[Int(seed % 3)])\n[video]\nwidth = 160\nheight = 120\nframe_rate = 5\n"
  }

  @Test(
    "one call in a hundred fails and every third does a part of its work: nothing is lost",
    arguments: Cases.some(4, of: 0..<12 as Range<UInt64>))
  func passing(seed: UInt64) throws {
    let session = try Session(
      ["wait 2", "record start", "wait 4", "mark", "wait 3", "status json", "record stop", "wait 4", "status json"],
      seed: seed, configuration: configuration(seed),
      environment: faults.environment(seed: seed, failing: 10, .passing, short: 333))
    #expect(session.end() == 0)
    let told = try session.lines()
    #expect(told.count { $0.contains(" is complete: ") } == 1, "\(told)")
    let status = try #require(try session.statuses().last)
    #expect(status.audioOverruns == 0 && status.droppedVideoFrames == 0)
    let path = session.dataFolder + "/" + (try #require(status.take))
    let sound = HeardSound(try ForeignProgram.decodeSamples(path), seed: seed)
    #expect(sound.frameCount == Int(status.audioFrames) && sound.frameCount > 48_000 * 7)
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
  }

  private static let harshCommands = [
    "snapshot", "mark here", "takes", "name 1 hello", "protect 1", "verify all", "disk", "delete 1", "undelete 1",
    "rescan", "config save", "identity", "tilt portrait", "tilt landscape-left", "list", "purge dry-run",
  ]

  @Test(
    "a tenth of all calls fails in any way: the program goes on, and leaves no file that cannot be opened",
    arguments: Cases.some(8, of: 0..<24 as Range<UInt64>))
  func harsh(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var script = ["wait 2"]
    for _ in 0..<4 {
      script.append("record start")
      for _ in 0..<3 { script += ["wait 1.5", Self.harshCommands.randomElement(using: &generator)!] }
      script += ["record stop", "wait 2"]
    }
    let dataFolder = folder.path(of: "data")
    let session = try Session(
      script, seed: seed, configuration: configuration(seed), dataFolder: dataFolder,
      environment: faults.environment(seed: seed, failing: 100, .any, short: 200))
    let status = session.end()
    let last = try session.lines().suffix(3)
    // 1: a take could not be finished.
    #expect([0, 1].contains(status), "\(status): \(last)")
    let next = try Session(["wait 5"], configuration: configuration(seed), dataFolder: dataFolder)
    #expect(next.end() == 0)
    for take in next.takes() where !take.hasSuffix(".jpg") {
      #expect(throws: Never.self, "\(take)") { try ForeignProgram.decodeSamples(take) }
    }
  }
}
