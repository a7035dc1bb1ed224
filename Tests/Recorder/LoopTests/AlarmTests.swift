import Base
import Configuration
import Machine
import Record
import TestSupport
import Testing
import Wire

@testable import App

/// Faults during a take are reported at once: on the console, by the LED and on the display.
@Suite struct AlarmTests {
  /// A rig three seconds into a take.
  private func recordingRig(stallSeconds: UInt32 = 5) throws -> ApplianceRig {
    let rig = try ApplianceRig { $0.record.stallSeconds = stallSeconds }
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 3_000)
    return rig
  }

  private func faults(_ rig: ApplianceRig) throws -> UInt32 {
    let reader = try #require(rig.host.view.look())
    return try #require(reader.status.read()).faults
  }

  @Test("a take that stops growing is told within a second of the first late fragment, and again when it goes on")
  func stall() throws {
    let rig = try recordingRig()
    let confirmed = { rig.appliance.loop.services.recording.progress.confirmedPosition }
    let before = confirmed()
    while confirmed() == before { rig.run(milliseconds: 5) }
    rig.stallStorage(nanoseconds: 4_000_000_000)
    rig.run(milliseconds: 1_500)
    #expect(rig.announcements("grow").isEmpty && !rig.isFaultLit)
    // Half a second for the next fragment, a quarter for a late picture, and a second.
    rig.run(milliseconds: 350)
    #expect(rig.announcements("the take does not grow: the card has not answered for 2 s; nothing is lost").count == 1)
    #expect(rig.isFaultLit && rig.isRecordLit)
    #expect(try faults(rig) == ViewFault.cardStuck.bit)
    rig.run(milliseconds: 2_400)
    #expect(rig.announcements("grow").dropFirst() == ["* the take grows again"])
    #expect(!rig.isFaultLit && rig.isRecordLit)
    #expect(try faults(rig) == 0)
    #expect(rig.quit())
    #expect(rig.announcements("grow").count == 2)
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "stalled")
  }

  @Test("nothing is lost for as long as the line says, and not much longer", arguments: [3, 8] as [UInt32])
  func promise(stallSeconds: UInt32) throws {
    let rig = try recordingRig(stallSeconds: stallSeconds)
    rig.begin(.stalled, of: .storage)
    while rig.announcements("does not grow").isEmpty { rig.run(milliseconds: 20) }
    let words = rig.announcements("does not grow")[0].split(separator: " ")
    let seconds = try #require(UInt64(words[words.count - 3]))
    #expect(seconds >= UInt64(stallSeconds) - 2)
    rig.run(milliseconds: seconds * 1_000)
    #expect(try faults(rig) & ViewFault.losses.bit == 0)
    rig.run(milliseconds: 2_000)
    #expect(try faults(rig) & ViewFault.losses.bit != 0)
  }

  @Test("a card that does not answer at the beginning of a take is told too, also when the take has ended meanwhile")
  func stallAtBegin() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 2_000)
    rig.stallStorage(nanoseconds: 4_000_000_000)
    rig.run("press record", milliseconds: 2_500)
    #expect(rig.announcements("does not grow").count == 1 && rig.isFaultLit)
    rig.run("press record", milliseconds: 500)
    #expect(rig.isFaultLit && !rig.isRecordLit)
    rig.run(milliseconds: 3_000)
    #expect(rig.announcements("is complete").count == 1 && !rig.isFaultLit)
  }

  @Test("what holds the take up besides the card is not told as the card: a device that stalls, or opens slowly")
  func notTheCard() throws {
    for device in [Device.microphone, .camera] {
      // With this buffer the microphone is lost only after 3.5 s.
      let rig = try ApplianceRig { $0.audio.bufferMilliseconds = 3_000 }
      rig.run("press record", milliseconds: 3_000)
      rig.begin(.stalled, of: device, nanoseconds: 3_000_000_000)
      rig.run(milliseconds: 6_000)
      #expect(try rig.status()["bytes"] as? Int ?? 0 > 100_000)
      #expect(rig.announcements("grow").isEmpty, "\(device)")
    }
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    rig.begin(.slow, of: .camera, nanoseconds: 2_000_000_000)
    rig.run("press record", milliseconds: 1_990)
    rig.begin(.stalled, of: .camera, nanoseconds: 900_000_000)
    rig.run(milliseconds: 4_000)
    #expect(rig.announcements(" began").count == 1)
    #expect(rig.announcements("grow").isEmpty)
  }

  @Test("a microphone that delivers digital silence is told once after 10 s, and once when it delivers sound again")
  func silence() throws {
    let rig = try recordingRig()
    rig.begin(.dead, of: .microphone)
    rig.run(milliseconds: 9_900)
    #expect(rig.announcements("microphone:").isEmpty && !rig.isFaultLit)
    rig.run(milliseconds: 20_000)
    #expect(
      rig.announcements("microphone:") == ["* microphone: digital silence for 10 s: check its cable or switch"])
    #expect(rig.isFaultLit)
    #expect(try faults(rig) == ViewFault.noSound.bit)
    rig.endFaults(of: .microphone)
    rig.run(milliseconds: 2_000)
    #expect(rig.announcements("microphone:").dropFirst() == ["* microphone: sound again"])
    #expect(!rig.isFaultLit)
    #expect(try faults(rig) == 0)
  }

  @Test("a microphone that clips all the time is told once after 10 s, also without a take, and when it clips no more")
  func clipping() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.begin(.clipping, of: .microphone)
    rig.run(milliseconds: 9_900)
    #expect(rig.announcements("microphone:").isEmpty)
    rig.run(milliseconds: 20_000)
    #expect(rig.announcements("microphone:") == ["* microphone: clips all the time: lower its level"])
    #expect(rig.isFaultLit)
    #expect(try faults(rig) == ViewFault.clipping.bit)
    rig.endFaults(of: .microphone)
    rig.run(milliseconds: 2_000)
    #expect(rig.announcements("microphone:").dropFirst() == ["* microphone: clips no more"])
    #expect(!rig.isFaultLit)
  }

  @Test("silence that stands for the sound of a lost microphone is not a dead microphone's")
  func lostMicrophone() throws {
    for kind in [Fault.Kind.absent, .stalled, .losing] {
      let rig = try recordingRig()
      rig.begin(kind, of: .microphone, nanoseconds: 30_000_000_000)
      rig.run(milliseconds: 35_000)
      #expect(rig.announcements("silence").isEmpty && rig.announcements("sound again").isEmpty, "\(kind)")
      #expect(!rig.isFaultLit)
    }
  }

  @Test("a dead microphone that is unplugged counts as lost, and is told anew when it is as dead after it came back")
  func deadAndLost() throws {
    let rig = try recordingRig()
    rig.begin(.dead, of: .microphone)
    rig.run(milliseconds: 12_000)
    rig.begin(.absent, of: .microphone, nanoseconds: 3_000_000_000)
    rig.run(milliseconds: 1_000)
    #expect(try faults(rig) & ViewFault.noSound.bit == 0)
    rig.run(milliseconds: 20_000)
    #expect(rig.announcements("digital silence").count == 2 && rig.announcements("sound again").isEmpty)
  }

  @Test(
    "a camera that is black or frozen is told once within 5 s, also without a take, and once when it is right again",
    arguments: [
      (Fault.Kind.black, PixelFormat.yuv420, "black", ViewFault.blackPicture),
      (.frozen, .yuv420, "the same picture", .frozenPicture), (.frozen, .mjpeg, "the same picture", .frozenPicture),
    ])
  func noPicture(kind: Fault.Kind, pixelFormat: PixelFormat, words: String, fault: ViewFault) throws {
    let rig = try ApplianceRig(pixelFormat: pixelFormat)
    rig.run(milliseconds: 10_000)
    #expect(rig.announcements("camera:").isEmpty && !rig.isFaultLit)
    rig.begin(kind, of: .camera)
    rig.run(milliseconds: 4_000)
    #expect(rig.announcements("camera:").isEmpty && !rig.isFaultLit)
    rig.run(milliseconds: 1_000)
    #expect(rig.announcements("camera: \(words) for 5 s").count == 1)
    #expect(rig.isFaultLit)
    rig.run("press record", milliseconds: 10_000)
    #expect(rig.announcements("camera:").count == 1)
    #expect(try faults(rig) == fault.bit)
    rig.endFaults(of: .camera)
    rig.run(milliseconds: 1_000)
    #expect(rig.announcements("camera:").dropFirst() == ["* camera: pictures again"])
    #expect(!rig.isFaultLit)
    #expect(try faults(rig) == 0)
  }

  @Test("10 minutes and 1 minute before the card is full are told once in a take, by its own rate")
  func room() throws {
    let rig = try recordingRig()
    rig.run(milliseconds: 20_000)
    let status = try rig.status()
    let (bytes, seconds) = (try #require(status["bytes"] as? Double), try #require(status["seconds"] as? Double))
    let leave = { [disk = rig.host.disk] (left: Double) in
      disk.toldFreeByteCount = Settings().storage.reserveByteCount + UInt64(bytes / seconds * left)
    }
    for left in [700.0, 598, 500, 90, 58, 50] {
      leave(left)
      rig.run(milliseconds: 3_000)
      let told = rig.announcements("left on the card").count
      #expect(told == (left > 600 ? 0 : left > 58 ? 1 : 2), "\(left)")
    }
    rig.run("press record", milliseconds: 2_000)
    leave(400)
    rig.run("press record", milliseconds: 10_000)
    #expect(
      rig.announcements("left on the card") == [
        "* 10 minutes of room are left on the card", "* 1 minute of room is left on the card",
        "* 7 minutes of room are left on the card",
      ])
    rig.run("press record", milliseconds: 2_000)
    leave(900)
    rig.run("press record", milliseconds: 10_000)
    for (left, line) in [(80.0, " seconds of room are"), (55, " 1 minute of room is")] {
      leave(left)
      rig.run(milliseconds: 3_000)
      #expect(try #require(rig.announcements("left on the card").last).contains(line))
    }
  }
}
