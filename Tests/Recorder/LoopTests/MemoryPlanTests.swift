import Base
import Configuration
import Machine
import Media
import TestSupport
import Testing

@testable import App

@Suite struct MemoryPlanTests {
  @Test("in any configuration the rings hold a stall's worth, and the announced memory is the memory used")
  func isNeverTooSmall() throws {
    for (prerollSeconds, stallSeconds) in [(0, 1), (5, 10), (60, 60)] as [(UInt32, UInt32)] {
      for content in [TakeContent.video, .audio] {
        for framesPerSecond in [1, 30, 120] as [UInt32] {
          let rig = try ApplianceRig { settings in
            settings.record.prerollSeconds = prerollSeconds
            settings.record.stallSeconds = stallSeconds
            settings.record.content = content
            settings.video.framesPerSecond = framesPerSecond
          }
          rig.run(milliseconds: 100)
          let plan = MemoryPlan(
            settings: rig.settings, audio: rig.settings.requestedAudioFormat,
            video: content == .video ? ApplianceRig.pictureFormat : nil, encoderCount: 1)
          #expect(rig.announcements("memory") == ["* " + String(plan.line(usedByteCount: rig.usedMemoryByteCount))])
          let seconds = Int(prerollSeconds + stallSeconds) + Limits.ringMarginSeconds
          #expect(plan.audioRingByteCount >= seconds * Int(ApplianceRig.rateHz) * 2)
          if content == .video { #expect(plan.pictureRingCapacity >= seconds * 25) }
        }
      }
    }
  }

  @Test("a machine with too little memory is refused in one line, at any point of the allocation")
  func isRefused() throws {
    let needed = try ApplianceRig().usedMemoryByteCount
    _ = try ApplianceRig(memoryByteCount: needed)
    var byteCounts = Array(stride(from: 64, to: needed, by: needed / 12))
    byteCounts += [64, 4_096, 40_000].map { needed - $0 }
    for byteCount in byteCounts {
      let failure = #expect(throws: DeviceFailure.self) { _ = try ApplianceRig(memoryByteCount: byteCount) }
      #expect(failure?.device == .memory && failure?.kind == .full, "\(byteCount) of \(needed) bytes")
    }
  }

  @Test("a fraction of a picture a second counts as a whole one, and without a camera almost no memory is planned")
  func countsPictures() {
    let format = VideoFormat(
      widthPixels: 640, heightPixels: 480, pixelFormat: .yuyv, bytesPerRow: 1280,
      frameRate: FrameRate(frames: 30_000, seconds: 1_001))
    let settings = Settings()
    let plan = MemoryPlan(settings: settings, audio: settings.requestedAudioFormat, video: format, encoderCount: 1)
    #expect(plan.pictureRingCapacity == 30 * (5 + 10 + Limits.ringMarginSeconds))
    let without = MemoryPlan(settings: settings, audio: settings.requestedAudioFormat, video: nil, encoderCount: 1)
    #expect(plan.viewLayout.byteCount > without.viewLayout.byteCount)
    #expect(without.pictureRingCapacity == 1)
  }

  @Test("the rings hold what pictures and sound wait for each other when the pictures are shifted")
  func countsOffset() {
    var settings = Settings()
    func seconds() -> Int {
      MemoryPlan(
        settings: settings, audio: settings.requestedAudioFormat, video: ApplianceRig.pictureFormat, encoderCount: 1
      ).ringSeconds
    }
    let usual = seconds()
    for offset in [-1000, 1000] as [Int16] {
      settings.video.offsetMilliseconds = offset
      #expect(seconds() == usual + 1)
    }
  }

  @Test("the library and the player's queue use the configured amount of memory")
  func countsPlayer() throws {
    let needed = try ApplianceRig().usedMemoryByteCount
    let large = try ApplianceRig {
      $0.library.capacity = 2 * $0.library.capacity
      $0.player.queueCapacity = 2 * $0.player.queueCapacity
    }
    let settings = Settings()
    #expect(large.usedMemoryByteCount > needed + Int(settings.library.capacity) * 200)
  }
}
