import Base
import Configuration
import Machine
import TestSupport
import Testing

@testable import App

/// Takes that begin and end by motion in the picture.
@Suite struct MotionTests {
  /// A recorder whose camera sees motion from the 18th second to the 20th, and in each further 20 seconds.
  private func rig(
    seed: UInt64 = 1, pixelFormat: PixelFormat = .mjpeg, source: TriggerSource = .motion,
    adjust: (inout Settings) -> Void = { _ in }
  ) throws -> ApplianceRig {
    try ApplianceRig(
      seed: seed, pixelFormat: pixelFormat, scene: FrameSize(widthPixels: 320, heightPixels: 240),
      adjust: {
        $0.record.prerollSeconds = 1
        $0.trigger.source = source
        $0.trigger.holdSeconds = 1
        adjust(&$0)
      },
      onBoard: {
        $0.hasClicks = false
        $0.motionPeriodSeconds = 20
      })
  }

  @Test(
    "motion begins a take from the pre-roll on, which ends when it was quiet for long enough",
    arguments: [PixelFormat.mjpeg, .yuyv, .nv12, .yuv420])
  func firesAndEnds(pixelFormat: PixelFormat) throws {
    let rig = try rig(pixelFormat: pixelFormat)
    rig.run(milliseconds: 17_800)
    #expect(!rig.isRecordLit && rig.takePaths.isEmpty, "\(rig.host.lines)")
    #expect(rig.announcements("the same picture").isEmpty, "a still scene is no frozen camera")
    rig.run(milliseconds: 1_200)
    #expect(rig.isRecordLit, "\(rig.host.lines)")
    rig.run(milliseconds: 6_000)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
    let began = rig.announcements("trigger: a take begins: motion: ")
    #expect(began.count == 1, "\(rig.host.lines)")
    let lines = ledgerLines(try #require(rig.host.disk.image[rig.takePaths[0]]))
    #expect(lines.contains { $0.contains("by trigger motion: ") && $0.hasSuffix(" %, motion_start_percent 3.0") })
    #expect(lines.contains { $0.hasSuffix("ended by trigger: quiet") }, "\(lines)")
  }

  @Test("motion outside the zones begins nothing, and sound does not count unless it is named")
  func hasZones() throws {
    let rig = try rig { $0.trigger.motionZonesLine = "40x30+60+0" }
    rig.run(milliseconds: 25_000)
    // The number changes at the top of the picture, the large square below.
    let values = rig.announcements("trigger: a take begins: motion: ")
    #expect(values.count <= 1 && rig.announcements("trigger: a take begins: level").isEmpty, "\(values)")
    let blind = try self.rig { $0.trigger.motionZonesLine = "5x5+95+95" }
    blind.run(milliseconds: 25_000)
    #expect(blind.takePaths.isEmpty, "\(blind.host.lines)")
  }

  @Test("with level+motion either begins a take")
  func takesEither() throws {
    let rig = try rig(source: .levelOrMotion) {
      // The noise of the microphone is louder.
      $0.trigger.startDecibels = -100
      $0.trigger.stopDecibels = -110
      $0.trigger.longestSeconds = 3
      $0.trigger.rearmSeconds = 600
    }
    rig.run(milliseconds: 6_000)
    #expect(rig.announcements("trigger: a take begins: level: ").count == 1, "\(rig.host.lines)")
    let quiet = try self.rig(source: .levelOrMotion)
    quiet.run(milliseconds: 19_500)
    #expect(quiet.announcements("trigger: a take begins: motion: ").count == 1, "\(quiet.host.lines)")
  }

  @Test("trigger watch and learn tell about motion, and trigger json has it")
  func tells() throws {
    let rig = try rig { $0.trigger.motionStartPercent = 100 }
    rig.run(milliseconds: 8_000)
    rig.run("trigger watch", milliseconds: 11_000)
    #expect(rig.host.lines.contains { $0.contains("motion 0.") }, "\(rig.host.lines)")
    rig.run("trigger learn 10", milliseconds: 12_000)
    #expect(
      rig.host.lines.contains { $0.hasPrefix("config trigger.motion_start_percent ") && $0.contains("motion_stop") },
      "\(rig.host.lines)")
    rig.run("trigger json", milliseconds: 1_500)
    let text = try #require(rig.host.lines.last { $0.hasPrefix("{") })
    #expect(text.contains("\"on\":\"motion\"") && text.contains("\"motion_percent\":0."), "\(text)")
    #expect(rig.takePaths.isEmpty)
  }
}
