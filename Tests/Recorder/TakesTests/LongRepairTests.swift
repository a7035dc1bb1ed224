import Base
import Machine
import Media
import TestSupport
import Testing

@testable import Record

/// Long files that are completed while others grow.
@Suite struct LongRepairTests {
  private static let path = "video/20260101/000000-0001.mov"
  private static let fragmentCount = 3_600 * 2

  /// A disk with a take of an hour that a power cut left open: its fragments have a tiny picture and little sound.
  private func disk() throws -> MemoryDisk {
    let take = MovieDescription(
      video: MovieVideo(format: TakeSource.videoFormat, coding: .jpeg), audio: TakeSource.audioFormat,
      orientation: .portrait,
      provenance: Provenance(
        device: DeviceIdentity(high: 1, low: 2), createdUnixSeconds: 1_767_225_600, software: "fieldcorder test"))
    var content = encoded { take.encodeHeader(into: &$0) }
    content.reserveCapacity(Self.fragmentCount * 700)
    for index in 0..<Self.fragmentCount {
      let samples = [MovieSample(byteCount: 8, durationTicks: 8)]
      let fragment = MovieFragment(
        sequenceNumber: UInt32(index + 1), videoStartTicks: UInt64(index) * 8, audioStartTicks: UInt64(index) * 8,
        audioFrameCount: 8)
      let place = take.fragmentPlace(behind: UInt64(content.count), videoSampleCount: 1, audioFrameCount: 8)
      let start = encoded { take.encodeFragmentStart(fragment, videoSamples: samples.span, at: place, into: &$0) }
      let header = encoded { take.encodeFragmentHeader(fragment, videoSamples: samples.span, into: &$0) }
      content += start.prefix(place.paddingByteCount) + header + [UInt8](repeating: UInt8(index % 251), count: 24)
    }
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    let state = Array("next_take = 2\nopen = \(Self.path)\n".utf8)
    try unsafe storage.replace("state", with: state.span.bytes)
    try unsafe storage.replace(.init(Self.path), with: content.span.bytes)
    return disk
  }

  private func encoded(_ encode: (inout ByteWriter) -> Void) -> [UInt8] {
    var memory = [UInt8](repeating: 0, count: 4_096)
    var elements = memory.mutableSpan
    var bytes = unsafe elements.mutableBytes
    var writer = ByteWriter(&bytes)
    encode(&writer)
    return unsafe writer.bytes.withUnsafeBytes { unsafe Array($0) }
  }

  /// Lets every call to the disk take time, while the devices keep running, and notes when the growing take grew.
  private func letCallsTakeTime(_ rig: TakeRig, callsPerTenMilliseconds: Int) -> () -> UInt64 {
    var callCount = 0
    var last: (frames: UInt64, at: TimelinePosition) = (0, 0)
    var longest: UInt64 = 0
    rig.disk.beforeCall = { [source = rig.source, progress = rig.progress] in
      callCount += 1
      if callCount % callsPerTenMilliseconds == 0 { source.advance(milliseconds: 10) }
      guard progress.audioFrameCount != last.frames else { return }
      // A new file starts counting from zero.
      if progress.audioFrameCount > last.frames, last.frames > 0 { longest = max(longest, source.now - last.at) }
      last = (progress.audioFrameCount, source.now)
    }
    return { longest }
  }

  @Test("a take of an hour that is repaired after boot delays no fragment of new takes, and loses nothing of them")
  func repairYields() throws {
    let rig = try TakeRig(try disk()) { $0.record.split.seconds = 5 }
    let longestInterval = letCallsTakeTime(rig, callsPerTenMilliseconds: 12)
    step(rig, untilMilliseconds: 1_500)
    // Two takes, split every five seconds, while the repair goes on.
    var ends: [TimelinePosition] = []
    for _ in 0..<2 {
      rig.begin()
      step(rig, untilMilliseconds: 17_000)
      ends.append(rig.source.now)
      rig.end()
      step(rig, untilMilliseconds: 1_000)
    }
    #expect(rig.repaired.isEmpty, "the repair was over before the takes: nothing was tried")
    #expect(rig.finished.count == 2 && rig.failureCount == 0)
    #expect(longestInterval() <= TakeSource.rateHz * 8 / 10, "\(longestInterval()) frames without a fragment")
    let files = try rig.opened.map { try #require(TakeFile($0.path, start: $0.start, on: rig.disk)) }
    expectTake(files.filter { $0.start < ends[0] }, to: ends[0], from: rig.source, "the first")
    expectTake(files.filter { $0.start >= ends[0] - TakeSource.rateHz }, to: ends[1], from: rig.source, "the second")
    rig.disk.beforeCall = {}
    while rig.worker.step() {}
    rig.work()
    #expect(rig.repaired.map { String($0.path) } == [Self.path] && rig.repaired[0].condition == .complete)
    let content = try #require(rig.disk.image[Self.path])
    let movie = try #require(FinishedMovie(content))
    #expect(movie.pictures.count == Self.fragmentCount)
  }

  /// Steps the worker, and passes time even while it is idle.
  private func step(_ rig: TakeRig, untilMilliseconds milliseconds: UInt64) {
    let end = rig.source.now + milliseconds * TakeSource.rateHz / 1_000
    while rig.source.now < end { if !rig.worker.step() { rig.source.advance(milliseconds: 10) } }
    rig.takeReports()
  }

  @Test("short takes behind a long one lose nothing, however many there are, and are complete before it")
  func shortOnesGoFirst() throws {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_500)
    rig.begin()
    rig.run(milliseconds: 60_000)
    let longEnd = rig.source.now
    rig.end()
    _ = letCallsTakeTime(rig, callsPerTenMilliseconds: 3)
    var ends: [TimelinePosition] = []
    for _ in 0..<5 {
      rig.begin(prerollFrames: 0)
      step(rig, untilMilliseconds: 900)
      ends.append(rig.source.now)
      rig.end()
      step(rig, untilMilliseconds: 100)
    }
    step(rig, untilMilliseconds: 30_000)
    #expect(rig.finished.count == 6 && rig.failureCount == 0)
    let files = try rig.opened.map { try #require(TakeFile($0.path, start: $0.start, on: rig.disk)) }
    for (file, end) in zip(files, [longEnd] + ends) { expectTake([file], to: end, from: rig.source, "\(file.path)") }
    #expect(rig.finished.last.map { String($0.path) } == files[0].path)
  }
}
