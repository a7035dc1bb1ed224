import Foundation
import TestSupport
import Testing

/// Takes of 1080p during which the zoom glides continuously, without losing a picture.
@Suite struct ZoomedTakeTests {
  private static let glides = ["zoom 8", "wait 2.5", "zoom 1", "wait 2.5", "zoom 8", "wait 2.5", "zoom 1", "wait 2.5"]
  private static let script =
    ["wait 1", "press record", "wait 0.5"] + glides + ["press record", "wait 2", "status json"]
  private static let fullSize = "[record]\npreroll_seconds = 0\n[video]\npreset = 1080p\n"

  @Test("on the virtual clock, with three encoders, every picture of the camera is in the take")
  func virtualClock() throws {
    let session = try Session(Self.script + ["quit"], configuration: Self.fullSize + "encoders = 3\n")
    #expect(session.end() == 0)
    try expectWhole(session, framesPerSecond: 30)
  }

  /// The criterion is that nothing is lost. A machine with too few processors, or whose processors were busy during the
  /// take, proves nothing.
  @Test("on the real clock, every picture of the camera is in the take, with processor time to spare")
  func realClock() throws {
    let session = try Session(Self.script + ["wait 3", "quit"], clock: .real, configuration: Self.fullSize)
    try session.waitForLines(1, beginningWith: "* take video")
    let before = try session.processorUse()
    try session.waitForLines(2, beginningWith: "* take video")
    let used = try session.processorUse() - before
    #expect(session.end() == 0)
    let status = try #require(session.statuses().last)
    // This includes the time in which the simulated camera draws them.
    let picturesPerSecond = Double(status.videoFrames) / used.seconds
    print(
      "1080p30, zoomed: \(status.videoFrames) pictures, \(status.droppedVideoFrames) dropped; "
        + "headroom: \(Int(picturesPerSecond)) pictures a second on each processor")
    if status.droppedVideoFrames > 0 || status.audioOverruns > 0 {
      let processorCount = Double(ProcessInfo.processInfo.activeProcessorCount)
      if picturesPerSecond * processorCount < 60 {
        try Test.cancel("\(Int(picturesPerSecond * processorCount)) pictures a second are all that this machine can do")
      }
      if used.waitedSeconds > 1 {
        try Test.cancel("others held the processors for \(used.waitedSeconds) s of the take")
      }
    }
    try expectWhole(session, framesPerSecond: 30)
  }

  private func expectWhole(_ session: Session, framesPerSecond: Int) throws {
    let status = try #require(session.statuses().last)
    #expect(status.droppedVideoFrames == 0 && status.audioOverruns == 0)
    #expect(status.heapAllocationsSinceBootComplete == 0)
    let path = try #require(session.takes().first)
    #expect(try ForeignProgram.probe(path, stream: "v:0", entry: "width,height") == "1920,1080")
    let starts = try ForeignProgram.pictureSeconds(path)
    #expect(UInt64(starts.count) == status.videoFrames)
    let interval = 1 / Double(framesPerSecond)
    #expect(abs(Double(starts.count) * interval - status.seconds) <= 2 * interval)
    // The first picture is shown from the press on.
    for (start, next) in zip(starts, starts.dropFirst()).dropFirst() {
      #expect(abs(next - start - interval) < interval / 4)
    }
  }
}
