import Configuration
import Imaging
import Values
import Rings
import TestSupport
import Testing

@testable import Loop

@Suite struct MemoryPlanTests {
  @Test("whatever is configured, an appliance finds room for all that it cuts, and a stall's worth in its rings")
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
          #expect(rig.announcements("memory").count == 1)
          let plan = MemoryPlan(
            settings: rig.settings, audio: rig.settings.requestedAudioFormat,
            video: content == .video ? ApplianceRig.pictureFormat : nil, encoderCount: 1, speaker: Self.speaker,
            libraryByteCount: 0)
          let seconds = Int(prerollSeconds + stallSeconds) + Limits.ringMarginSeconds
          #expect(plan.audioRingByteCount >= seconds * Int(ApplianceRig.rateHz) * 2)
          if content == .video { #expect(plan.pictureRingCapacity >= seconds * 25) }
        }
      }
    }
  }

  @Test("the plan is what is cut, to the byte: a cache line less does not do")
  func isExact() async {
    await #expect(processExitsWith: .failure) {
      _ = try ApplianceRig(memoryShortageByteCount: 64)
    }
    await #expect(processExitsWith: .success) {
      _ = try ApplianceRig(memoryShortageByteCount: 0)
    }
  }

  @Test("raw pictures take room for an encoder, and a fraction of a picture a second counts as a whole one")
  func countsPictures() {
    let format = VideoFormat(
      widthPixels: 640, heightPixels: 480, pixelFormat: .yuyv, bytesPerRow: 1280,
      frameRate: FrameRate(frames: 30_000, seconds: 1_001))
    let settings = Settings()
    let plan = MemoryPlan(
      settings: settings, audio: settings.requestedAudioFormat, video: format, encoderCount: 1,
      speaker: Self.speaker, libraryByteCount: 0)
    #expect(plan.pictureRingCapacity == 30 * (5 + 10 + Limits.ringMarginSeconds))
    let without = MemoryPlan(
      settings: settings, audio: settings.requestedAudioFormat, video: nil, encoderCount: 1,
      speaker: Self.speaker, libraryByteCount: 0)
    #expect(plan.byteCount > without.byteCount + PictureCoder.byteCount(format: format))
    #expect(plan.viewLayout.byteCount > without.viewLayout.byteCount)
    #expect(without.pictureRingCapacity == 1)
  }

  @Test("the library's room and the speaker's format are in the plan")
  func countsPlayer() {
    let settings = Settings()
    let plan = { (speaker: AudioFormat, libraryByteCount: Int) in
      MemoryPlan(
        settings: settings, audio: settings.requestedAudioFormat, video: nil, encoderCount: 1,
        speaker: speaker, libraryByteCount: libraryByteCount
      ).byteCount
    }
    #expect(plan(Self.speaker, 1 << 20) == plan(Self.speaker, 0) + 1 << 20)
    let wide = AudioFormat(sampleRateHz: 48_000, channelCount: 8, sampleFormat: .float32)
    #expect(plan(wide, 0) > plan(Self.speaker, 0))
  }

  private static var speaker: AudioFormat {
    AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  }
}
