import Base
import Media
import TestSupport
import Testing

@testable import Record

/// Power cuts at every moment of a take and its completion, on a card that keeps any part of unflushed data.
@Suite struct PowerCutTests {
  /// How far each file was written, and the timeline's position, once an operation was complete.
  private struct Moment {
    var operationCount: Int
    var now: TimelinePosition
  }

  private final class History {
    var moments: [Moment] = []
    /// The timeline's position when the worker first noticed the press.
    var firstTurn: TimelinePosition = 0
    func now(at operationCount: Int) -> TimelinePosition {
      moments.last { $0.operationCount <= operationCount }?.now ?? 0
    }
  }

  private func record(hasVideo: Bool, container: AudioContainer, keyframeInterval: Int) throws -> (TakeRig, History) {
    var habits = SourceHabits()
    habits.keyframeInterval = keyframeInterval
    habits.codec = keyframeInterval > 1 ? .fwht : .mjpeg
    let rig = try TakeRig(hasVideo: hasVideo, habits: habits) { settings in
      settings.record.audioContainer = container
      settings.record.split.seconds = 5
    }
    let history = History()
    rig.disk.beforeCall = { [disk = rig.disk, source = rig.source] in
      history.moments.append(Moment(operationCount: disk.operations.count, now: source.now))
    }
    rig.run(milliseconds: 1_200)
    history.firstTurn = rig.source.now + TakeSource.rateHz / 20
    rig.record(milliseconds: 6_000)
    #expect(rig.finished.count == 1)
    rig.disk.beforeCall = {}
    return (rig, history)
  }

  @Test(
    "after every cut the next boot makes a complete file that misses at most the last second",
    arguments: Cases.some(
      3,
      of: [
        (true, AudioContainer.wav, 1), (true, .wav, 9), (true, .wav, 30), (false, .wav, 1), (false, .aiff, 1),
        (false, .caf, 1), (false, .flac, 1),
      ] as [(Bool, AudioContainer, Int)]))
  func everyCut(hasVideo: Bool, container: AudioContainer, keyframeInterval: Int) throws {
    let (rig, history) = try record(hasVideo: hasVideo, container: container, keyframeInterval: keyframeInterval)
    let operations = rig.disk.operations
    var cutCount = 0
    // Each state of a FLAC is decoded by a program of its own.
    for round in 0..<(hasVideo ? 4 : container == .flac ? 2 : 14) as Range<UInt64> {
      for operationCount in 0...operations.count {
        var generator = round == 0 ? nil : SeededGenerator(seed: round << 32 | UInt64(operationCount))
        let image = DiskImage.afterCut(operations, at: operationCount, using: &generator)
        let now = history.now(at: operationCount)
        // While the pre-roll is on its way from memory to the card, none of it is guaranteed.
        try expectRepaired(
          image, rig, now: now > history.firstTurn ? now : 0, "\(container), cut \(operationCount), round \(round)")
        cutCount += 1
      }
    }
    #expect(cutCount >= (container == .flac ? 100 : 1_000))
  }

  private func expectRepaired(_ image: DiskImage, _ rig: TakeRig, now: TimelinePosition, _ comment: Comment) throws {
    let disk = MemoryDisk(image)
    let boot = try TakeRig(disk, ringSeconds: 1)
    boot.work()
    #expect(boot.failureCount == 0 && boot.completionFailureCount == 0, comment)
    #expect(String(decoding: disk.image["state"] ?? [], as: UTF8.self).contains("open") == false, comment)
    var files: [TakeFile] = []
    let unreadable = boot.repaired.filter { $0.condition == .unreadable }.map { String($0.path) }
    for path in unreadable {
      let isLeft = disk.image[path] == image[path]
      #expect(isLeft, comment)
    }
    for (path, start) in rig.opened where disk.image[path] != nil && !unreadable.contains(path) {
      let file = try #require(TakeFile(path, start: start, on: disk), "\(path), \(comment)")
      if let first = file.pictureNumbers.first { #expect(rig.source.isKeyframe(first), comment) }
      files.append(file)
    }
    let start = rig.opened[0].start
    let end = files.last.map { $0.start + $0.frameCount } ?? start
    let takeEnd = start + rig.finished.reduce(0) { $0 + $1.timelineFrames } + splitFrames(rig)
    #expect(min(now, takeEnd) <= end + TakeSource.rateHz, "\(now - min(now, end)) frames lost, \(comment)")
    if !files.isEmpty { expectTake(files, to: end, from: rig.source, comment) }
    let others = disk.image.names.keys.filter { path in path != "state" && !rig.opened.contains { $0.path == path } }
    #expect(others.isEmpty, comment)
  }

  private func splitFrames(_ rig: TakeRig) -> UInt64 {
    rig.told.reduce(0) { if case .split(let summary) = $1 { $0 + summary.timelineFrames } else { $0 } }
  }
}
