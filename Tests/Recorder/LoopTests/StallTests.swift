import Base
import Foundation
import Machine
import TestSupport
import Testing

@testable import App

/// Card stalls of up to 10 s, in takes of the formats for which that is guaranteed.
@Suite struct StallTests {
  /// `FIELDCORDER_STALLS=500` sets the number for each format.
  private static var stallCount: Int {
    ProcessInfo.processInfo.environment["FIELDCORDER_STALLS"].flatMap { Int($0) } ?? 8
  }

  @Test("stalls of up to 10 s at any moment of a take lose no picture of 720p at 30 a second")
  func pictures() throws {
    let rig = try ApplianceRig { settings in
      settings.record.stallSeconds = 10
    } onBoard: { board in
      (board.widthPixels, board.heightPixels) = (1280, 720)
      board.frameRate = FrameRate(frames: 30)
      // As large as the pictures for which memory is planned.
      board.numberByteCount = 1280 * 720 / Limits.pixelsPerPictureByte - 50
    }
    try recordThroughStalls(rig) { path, time in
      let movie = try #require(rig.movie(path))
      try rig.expectWhole(movie, "\(path)")
      #expect(abs(Double(movie.pictures.count) - Double(time.upperBound - time.lowerBound) * 30 / 1e9) < 4)
    }
  }

  @Test("stalls of up to 10 s at any moment of a take lose no sample of 96 kHz and 24 bits")
  func sound() throws {
    let format = AudioFormat(sampleRateHz: 96_000, channelCount: 2, sampleFormat: .int24)
    let rig = try ApplianceRig { settings in
      settings.record.content = .audio
      settings.record.stallSeconds = 10
    } onBoard: {
      $0.audioFormat = format
    }
    try recordThroughStalls(rig) { path, time in
      let frameCount = try #require(try rig.status()["audio_frames"] as? Int)
      #expect(abs(Double(frameCount) - Double(time.upperBound - time.lowerBound) * 96e-6) < 2_000)
      let file = try #require(rig.host.disk.image[path])
      let sound = Array(file[1_024...].prefix(frameCount * format.bytesPerFrame))
      let start = Double(time.lowerBound - rig.worldStart) * 96e-6
      let isTheWorlds = rig.startFrame(ofSound: sound, near: Int(start)) != nil
      #expect(isTheWorlds && sound.count == frameCount * format.bytesPerFrame, "\(path)")
    }
  }

  /// Records takes with four stalls each; every second take ends during its last one.
  /// - Parameter check: receives the time range that the take must cover, including its pre-roll.
  private func recordThroughStalls(
    _ rig: ApplianceRig, _ check: (_ path: String, _ time: Range<Instant>) throws -> Void
  ) throws {
    var generator = SeededGenerator(seed: 10)
    rig.run(milliseconds: 6_000)
    for take in 1...(Self.stallCount + 3) / 4 {
      let start = rig.now.earlier(by: 5_000_000_000)
      rig.run("record start", milliseconds: .random(in: 0...600, using: &generator))
      for _ in 0..<3 { rig.run(milliseconds: stall(rig, &generator) + .random(in: 50...1_500, using: &generator)) }
      let last = stall(rig, &generator)
      if take % 2 == 0 { rig.run(milliseconds: last) } else { rig.run(milliseconds: last / 2) }
      let end = rig.now
      rig.run("record stop", milliseconds: last + 1_000)
      #expect(rig.announcements("is complete").count == take)
      let status = try rig.status()
      #expect(status["dropped_video_frames"] as? Int == 0 && status["audio_overruns"] as? Int == 0)
      let path = try #require(rig.takePaths.first)
      try check(path, start..<end)
      var storage = Storage(MemoryStorage(rig.host.disk))
      try storage.remove(FixedText(path))
      rig.host.disk.forgetOperations()
      rig.run(milliseconds: 5_000)
    }
  }

  /// - Returns: its duration in milliseconds.
  private func stall(_ rig: ApplianceRig, _ generator: inout SeededGenerator) -> UInt64 {
    let milliseconds = UInt64.random(in: 0...10_000, using: &generator)
    rig.stallStorage(nanoseconds: milliseconds * 1_000_000)
    return milliseconds
  }
}
