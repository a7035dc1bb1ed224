import Base
import Configuration
import Foundation
import Machine
import TestSupport
import Testing
import Wire

@testable import App

/// Takes of sound with a still at each interval, and films of a picture at each.
@Suite struct StillLapseTests {
  private func rig(
    every seconds: Double, hasMicrophone: Bool = true, content: TakeContent = .stills, splitSeconds: UInt32 = 0
  ) throws -> ApplianceRig {
    let rig = try ApplianceRig(absent: hasMicrophone ? [] : [.microphone]) {
      $0.record.content = content
      $0.record.split.seconds = splitSeconds
      if content == .video { $0.monitor.socket = "/run/a" }
      $0.record.intervalSeconds = seconds
      $0.record.prerollSeconds = 2
    }
    rig.run(milliseconds: 3_000)
    return rig
  }

  private func stills(_ rig: ApplianceRig) -> [(number: String, content: [UInt8])] {
    let image = rig.host.disk.image
    let paths = image.names.keys.filter { $0.hasPrefix("photo/") && $0.hasSuffix(".jpg") }
    return paths.map { path in
      (number: String(path.dropLast(4).suffix(4)), content: image[path] ?? [])
    }.sorted { $0.number < $1.number }
  }

  /// What follows the Exif segment.
  private func sealed(_ still: [UInt8]) -> [UInt8] { Array(still.dropFirst(4 + Int(still[4]) << 8 + Int(still[5]))) }

  @Test(
    "each still is a file of its own at its time, and b2sum finds the hash that the take's ledger has of it",
    arguments: [0.5, 2, 2.5])
  func stills(seconds: Double) throws {
    let rig = try rig(every: seconds)
    rig.run("record start", milliseconds: 10_200)
    rig.run("record stop", milliseconds: 2_000)
    let stills = stills(rig)
    #expect(stills.count == Int(10 / seconds) + 1)
    let numbers = stills.map { NumberedPicture.stillNumber(of: $0.content) }
    // The camera makes 25 pictures a second.
    let distance = Int(seconds * 25)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { abs($1 - $0 - distance) <= 1 }, "\(numbers)")
    let path = rig.takePaths[0]
    #expect(path.hasSuffix(".wav") && rig.takePaths.count == 1)
    let ledger = ledgerLines(try #require(rig.host.disk.image[path]))
    for still in stills {
      let hash = try ForeignProgram.text("b2sum", ["-l", "256"], input: sealed(still.content)).prefix(64)
      #expect(ledger.contains { $0.hasSuffix(" still \(still.number) \(hash)") }, "\(still.number) \(ledger)")
    }
    #expect(rig.announcements("* still").isEmpty && !rig.isFaultLit)
  }

  private func isCameraRunning(_ rig: ApplianceRig) -> Bool {
    rig.appliance.loop.services.recording.capture.camera == .running
  }

  @Test("between stills that are a minute apart the camera is closed, and after the take it is open again")
  func rests() throws {
    let rig = try rig(every: 60)
    #expect(isCameraRunning(rig))
    rig.run("record start", milliseconds: 2_000)
    for second in 2..<200 {
      rig.run(milliseconds: 1_000)
      let phase = second % 60
      if 5..<54 ~= phase { #expect(!isCameraRunning(rig), "\(second)") }
      if phase >= 58 { #expect(isCameraRunning(rig), "\(second)") }
    }
    #expect(stills(rig).count == 4)
    rig.run("record stop", milliseconds: 8_000)
    #expect(isCameraRunning(rig) && !rig.isFaultLit)
    // The first is that of the start.
    #expect(rig.announcements("camera").count == 1 && rig.announcements("no picture").isEmpty)
    let ledger = ledgerLines(try #require(rig.host.disk.image[rig.takePaths[0]]))
    #expect(!ledger.contains { $0.contains("camera") || $0.contains("no still") }, "\(ledger)")
  }

  @Test("a camera that is pulled while it is closed costs the take nothing, and comes back")
  func pulled() throws {
    let rig = try rig(every: 60)
    rig.run("record start", milliseconds: 20_000)
    rig.begin(.absent, of: .camera)
    rig.run(milliseconds: 60_000)
    #expect(rig.isRecordLit && stills(rig).count == 1)
    #expect(rig.announcements("camera").count == 2)
    rig.endFaults(of: .camera)
    rig.run(milliseconds: 60_000)
    #expect(stills(rig).count >= 2 && rig.announcements("* camera works again").count == 1)
    rig.run("record stop", milliseconds: 2_000)
    #expect(rig.announcements("is complete: 14").count == 1)
    let ledger = ledgerLines(try #require(rig.host.disk.image[rig.takePaths[0]]))
    #expect(ledger.contains { $0.hasSuffix(" no still") }, "\(ledger)")
  }

  @Test("without a microphone the take is a film of the interval, beside the stills")
  func withoutMicrophone() throws {
    let rig = try rig(every: 2, hasMicrophone: false)
    rig.run("record start", milliseconds: 9_000)
    rig.run("record stop", milliseconds: 2_000)
    #expect(rig.takePaths[0].hasSuffix(".mov") && stills(rig).count >= 4)
  }

  private func pictures(_ rig: ApplianceRig, ofFile index: Int = 0) throws -> [[UInt8]] {
    try #require(rig.movie(rig.takePaths[index])).pictures
  }

  @Test("between pictures of a film that are a minute apart the camera is closed, and each of them is in time")
  func filmRests() throws {
    let rig = try rig(every: 60, content: .video)
    rig.run("record start", milliseconds: 2_000)
    for second in 2..<200 {
      rig.run(milliseconds: 1_000)
      // The file begins two seconds before the press.
      let phase = (second + 3) % 60
      if 6..<54 ~= phase { #expect(!isCameraRunning(rig), "\(second)") }
      if phase >= 58 || phase < 2 { #expect(isCameraRunning(rig), "\(second)") }
    }
    rig.run("record stop", milliseconds: 8_000)
    #expect(isCameraRunning(rig) && !rig.isFaultLit)
    #expect(rig.announcements("camera").count == 1 && rig.announcements("no picture").isEmpty)
    let numbers = try pictures(rig).map(NumberedPicture.number)
    #expect(
      numbers.count == 4 && zip(numbers, numbers.dropFirst()).allSatisfy { abs($1 - $0 - 1_500) <= 1 }, "\(numbers)")
    let ledger = ledgerLines(try #require(rig.host.disk.image[rig.takePaths[0]]))
    #expect(!ledger.contains { $0.contains("camera") }, "\(ledger)")
  }

  @Test("each file of a film that is split begins with a picture in time, though the camera would rest then")
  func filmIsSplit() throws {
    let rig = try rig(every: 60, content: .video, splitSeconds: 90)
    rig.run("record start", milliseconds: 170_000)
    rig.run("record stop", milliseconds: 8_000)
    // At 0 and 60 s, and at 90 and 150 s.
    let numbers = try (0..<2).map { try pictures(rig, ofFile: $0).map(NumberedPicture.number) }
    #expect(numbers.map(\.count) == [2, 2], "\(numbers)")
    #expect(abs(numbers[1][0] - numbers[0][0] - 90 * 25) <= 1 && abs(numbers[1][1] - numbers[1][0] - 60 * 25) <= 1)
  }

  @Test(
    "a camera that is pulled between two pictures of a film is told, and a stand-in is in their place until it is back")
  func pulledFromFilm() throws {
    let rig = try rig(every: 60, content: .video)
    rig.run("record start", milliseconds: 20_000)
    rig.begin(.absent, of: .camera)
    rig.run(milliseconds: 60_000)
    #expect(rig.isRecordLit && rig.announcements("the camera no longer sends frames").count == 1, "\(rig.host.lines)")
    rig.endFaults(of: .camera)
    rig.run(milliseconds: 60_000)
    #expect(rig.announcements("* camera works again").count == 1)
    rig.run("record stop", milliseconds: 2_000)
    let pictures = try pictures(rig)
    #expect(pictures.map(NumberedPicture.isStandIn) == [false, true, false])
    let numbers = pictures.map(NumberedPicture.number)
    #expect(pictures.count == 3 && abs(numbers[2] - numbers[0] - 3_000) <= 1, "\(numbers)")
    let ledger = ledgerLines(try #require(rig.host.disk.image[rig.takePaths[0]]))
    #expect(ledger.contains { $0.hasSuffix(" camera lost") } && ledger.contains { $0.hasSuffix(" camera works again") })
  }

  @Test("a still that is asked for opens the resting camera, and so does somebody who looks")
  func wakes() throws {
    let rig = try rig(every: 60, content: .video)
    rig.run("record start", milliseconds: 10_000)
    #expect(!isCameraRunning(rig))
    rig.run("snapshot", milliseconds: 5_000)
    #expect(stills(rig).count == 1 && !rig.host.lines.contains { $0.hasPrefix("error") }, "\(rig.host.lines)")
    #expect(!isCameraRunning(rig))
    // A picture that holds a number alone cannot be drawn; an older one would not have been waited for.
    rig.run("preview", milliseconds: 4_000)
    #expect(
      rig.host.lines.suffix(2).map { $0.prefix(30) } == [
        "waiting for the camera's first", "error: the newest frame cannot",
      ],
      "\(rig.host.lines)")
    rig.host.view.monitorWords = [.message(.listeners("3 700 1200 2 [::1]:5 /live.mjpeg\n"))]
    rig.run(milliseconds: 3_000)
    #expect(isCameraRunning(rig))
    rig.run(milliseconds: 20_000)
    #expect(isCameraRunning(rig))
    rig.host.view.monitorWords = [.ended]
    rig.run(milliseconds: 3_000)
    #expect(!isCameraRunning(rig))
    rig.run("record stop", milliseconds: 2_000)
    #expect(try pictures(rig).count == 1)
  }
}
