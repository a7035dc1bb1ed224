import Foundation
import TestSupport
import Testing

@testable import App

/// `audio` on the whole appliance; the meters' values are tested with the meters.
@Suite struct AudioCommandTests {
  private func levels(_ rig: ApplianceRig) throws -> [String: Any] {
    rig.run("audio json", milliseconds: 100)
    let line = try #require(rig.host.lines.last { $0.hasPrefix("{") })
    let told = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(told?["sample_rate_hz"] as? Int == 8000 && told?["sample_format"] as? String == "s16")
    let channels = try #require(told?["channels"] as? [[String: Any]])
    #expect(channels.count == 1)
    return channels[0]
  }

  @Test("audio tells the simulated microphone's clicks and its noise, in lines and as JSON")
  func tellsLevels() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 5300)
    let told = try levels(rig)
    // Clicks of half of full scale on uniform noise that is 60 dB below it.
    #expect(abs(try #require(told["peak_dbfs"] as? Double) + 6) < 0.1)
    #expect(abs(try #require(told["noise_dbfs"] as? Double) + 64.8) < 0.3)
    let truePeak = try #require(told["true_peak_dbfs"] as? Double)
    #expect(truePeak >= -6.1 && truePeak < -4)
    #expect(told["clips"] as? Int == 0)
    rig.run("audio", milliseconds: 100)
    #expect(rig.host.lines.contains("sound 8,000 Hz, 16 bits, 1 channel"))
    let line = try #require(rig.host.lines.last { $0.hasPrefix("channel 1: peak -6.0, RMS -") })
    #expect(line.hasSuffix(" dBFS, clips 0"))
  }

  @Test("A microphone that clips is told once in 10 s, with the number of times, and audio reset counts anew")
  func warnsOfClips() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1000)
    rig.begin(.clipping, of: .microphone, nanoseconds: 14_000_000_000)
    rig.run(milliseconds: 9000)
    #expect(rig.announcements("channel 1 clipped once: lower the level of the microphone").count == 1)
    rig.run(milliseconds: 5000)
    #expect(rig.announcements("channel 1 clipped").count == 2)
    // Continuous clipping is an alarm of its own; one clip lights the LED for half a second.
    #expect(rig.isFaultLit)
    #expect(try #require(try levels(rig)["clips"] as? Int) > 100)
    rig.run("audio reset")
    #expect(try levels(rig)["clips"] as? Int == 0)
  }

  @Test("A clip lights the LED fault for half a second, and no longer")
  func lightsClips() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 2_000)
    #expect(!rig.isFaultLit)
    rig.begin(.clipping, of: .microphone, nanoseconds: 100_000_000)
    rig.run(milliseconds: 200)
    #expect(rig.isFaultLit)
    rig.run(milliseconds: 200)
    #expect(rig.isFaultLit)
    rig.run(milliseconds: 300)
    #expect(!rig.isFaultLit)
  }

  @Test("Without a microphone audio says so")
  func needsMicrophone() throws {
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    rig.run("audio", milliseconds: 200)
    #expect(rig.host.lines.last { !$0.hasPrefix("* ") } == "error: the microphone is not open: arm the recorder first")
  }
}
