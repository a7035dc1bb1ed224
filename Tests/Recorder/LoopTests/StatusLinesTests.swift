import TestSupport
import Testing

@testable import App

/// `status` in its human-readable form.
@Suite struct StatusLinesTests {
  private func line(_ rig: ApplianceRig, _ start: String) -> String {
    let count = rig.host.lines.count
    rig.run("status", milliseconds: 100)
    return rig.host.lines[count...].first { $0.hasPrefix(start) } ?? "nothing"
  }

  @Test("Room is told as time: what is certain for sound alone, a least for pictures, and by the last take's own rate")
  func tellsRoomAsTime() throws {
    // 8,000 samples of 2 bytes a second, plus the reserve.
    let sound = try ApplianceRig { $0.record.content = .audio }
    sound.run(milliseconds: 1_000)
    sound.host.disk.toldFreeByteCount = sound.settings.storage.reserveByteCount + 16_000 * 7_500
    sound.run("press record", milliseconds: 8_000)
    sound.run("press record", milliseconds: 2_000)
    #expect(line(sound, "card  ").hasSuffix(" MB free, 2 h 5 min of recording"))

    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    // Before the first take on a card, its pictures are assumed to be large: 64 x 48 / 4 bytes, 25 a second.
    let free = rig.settings.storage.reserveByteCount + UInt64(16_000 + 25 * 768) * 600
    rig.host.disk.toldFreeByteCount = free
    rig.run("snapshot", milliseconds: 2_000)
    #expect(line(rig, "card  ").hasSuffix(" MB free, at least 10 min of recording"))
    rig.run("press record", milliseconds: 12_000)
    let status = try rig.status()
    rig.run("press record", milliseconds: 3_000)
    let bytes = try #require(status["bytes"] as? Double)
    let seconds = try #require(status["seconds"] as? Double)
    let left = Double(free - rig.settings.storage.reserveByteCount) * seconds / bytes / 60
    let told = line(rig, "card  ")
    let minutes = try #require(told.firstMatch(of: /B free, (\d+) min of recording/)).output.1
    let difference = try #require(Double(minutes)) - left
    #expect(difference.magnitude <= left / 10 + 1, "\(told), \(left) minutes")
  }

  @Test("Sizes and lengths have units and groups for people, and plain digits in JSON")
  func groupsForPeople() throws {
    let rig = try ApplianceRig { $0.record.content = .audio }
    rig.run(milliseconds: 6_000)
    rig.run("press record", milliseconds: 1_200_000)
    let told = line(rig, "take         audio/")
    #expect(told.wholeMatch(of: /take         audio\/.*: 1,20\d\.\d s, 19\.\d\d MB/) != nil, "\(told)")
    let status = try rig.status()
    #expect(status["bytes"] as? Int ?? 0 > 19_000_000)
    rig.run("press record", milliseconds: 3_000)
    let end = rig.announcements(" is complete: ").first ?? "nothing"
    #expect(end.wholeMatch(of: /.* is complete: 1,20\d\.\d s, 19\.\d\d MB/) != nil, "\(end)")
    #expect(rig.announcements("microphone ").first?.contains(": 8,000 Hz, ") == true)
  }

  @Test("The pictures' size is told, and the preset that it is")
  func tellsPreset() throws {
    let own = try ApplianceRig()
    own.run(milliseconds: 500)
    #expect(line(own, "camera ") == "camera       64 x 48, 25.00 frames a second, no preset")
    let preset = try ApplianceRig(onBoard: { board in (board.widthPixels, board.heightPixels) = (640, 480) })
    preset.run(milliseconds: 500)
    #expect(line(preset, "camera ") == "camera       640 x 480, 25.00 frames a second, preset 480p")
    let sound = try ApplianceRig { $0.record.content = .audio }
    sound.run(milliseconds: 500)
    #expect(line(sound, "camera ") == "nothing")
  }
}
