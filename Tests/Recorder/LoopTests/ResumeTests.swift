import Foundation
import Machine
import Record
import TestSupport
import Testing

@testable import App

/// Recorders that stop without warning while they record.
@Suite struct ResumeTests {
  /// The next boot, on the card of a recorder that stopped without warning.
  private func boot(
    after rig: ApplianceRig, seed: UInt64, resumes: Bool = true, absent: [Device] = []
  ) throws -> ApplianceRig {
    try ApplianceRig(seed: seed, host: TestHost(disk: MemoryDisk(rig.host.disk.image)), absent: absent) {
      $0.record.resumes = resumes
    }
  }

  private func state(_ rig: ApplianceRig) throws -> String? { try rig.status()["state"] as? String }

  private func journal(_ rig: ApplianceRig) -> String {
    String(decoding: rig.host.disk.image["state"] ?? [], as: UTF8.self)
  }

  private func recording() throws -> ApplianceRig {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 4_000)
    return rig
  }

  @Test("a take that was interrupted goes on at the next boot, and the new file says with which")
  func goesOn() throws {
    let first = try recording()
    let cut = first.takePaths[0]
    let second = try boot(after: first, seed: 2)
    second.run(milliseconds: 3_000)
    #expect(try state(second) == "recording" && second.isRecordLit)
    let path = try #require(second.takePaths.last)
    #expect(second.takePaths.count == 2)
    #expect(second.announcements("take \(path) continues \(cut), which was interrupted").count == 1)
    #expect(second.announcements("take \(cut) was left open by an interruption, and is complete now").count == 1)
    second.run("press record", milliseconds: 1_000)
    let content = try #require(second.host.disk.image[path])
    let text = String(decoding: content, as: UTF8.self)
    #expect(text.contains("org.fieldcorder.continues") && text.contains(cut.suffix(15)))
    try second.expectWhole(try #require(second.movie(path)), "the take that goes on")
    #expect(second.movie(cut) != nil)
    #expect(!journal(second).contains("recording"))
  }

  @Test("an interrupted take waits for a microphone that is found after the boot, and then has both tracks")
  func waitsForMicrophone() throws {
    let second = try boot(after: try recording(), seed: 2, absent: [.microphone])
    second.run(milliseconds: 2_000)
    #expect(try state(second) == "armed" && second.takePaths.count == 1)
    second.endFaults(of: .microphone)
    second.run(milliseconds: 2_500)
    #expect(try state(second) == "recording" && second.announcements("continues").count == 1)
    second.run("press record", milliseconds: 1_000)
    let path = try #require(second.takePaths.last)
    try second.expectWhole(try #require(second.movie(path)), "the take that goes on")
  }

  @Test("a microphone that stays away does not keep an interrupted take from going on with pictures alone")
  func goesOnWithoutMicrophone() throws {
    let second = try boot(after: try recording(), seed: 2, absent: [.microphone])
    second.run(milliseconds: 6_000)
    #expect(try state(second) == "recording" && second.announcements("continues").count == 1)
  }

  @Test("an interrupted take goes on when the first device is found, long after a boot without any")
  func waitsForAnyDevice() throws {
    let second = try boot(after: try recording(), seed: 2, absent: [.microphone, .camera])
    second.run(milliseconds: 10_000)
    #expect(try state(second) == "failed" && second.takePaths.count == 1)
    second.endFaults(of: .microphone)
    second.run(milliseconds: 4_000)
    #expect(try state(second) == "recording" && second.announcements("continues").count == 1)
  }

  @Test("a take that was ended is not gone on with, however it was ended")
  func cleanEnds() throws {
    for command in ["press record", "record stop", "quit"] {
      let first = try recording()
      if command == "quit" { _ = first.quit() } else { first.run(command, milliseconds: 1_000) }
      let second = try boot(after: first, seed: 2)
      second.run(milliseconds: 1_000)
      #expect(try state(second) == "armed", "\(command)")
      #expect(second.announcements("continues").isEmpty && second.takePaths.count == 1)
    }
  }

  @Test("with resume = no the next boot waits for a press, and forgets the take")
  func canBeSwitchedOff() throws {
    let first = try recording()
    let second = try boot(after: first, seed: 2, resumes: false)
    second.run(milliseconds: 1_000)
    #expect(try state(second) == "armed" && second.takePaths.count == 1)
    let third = try boot(after: second, seed: 3)
    third.run(milliseconds: 1_000)
    #expect(try state(third) == "armed")
  }

  @Test("a file that a take goes on in after a split says nothing of an interruption")
  func splitAfterwards() throws {
    let first = try recording()
    let second = try ApplianceRig(seed: 2, host: TestHost(disk: MemoryDisk(first.host.disk.image))) {
      $0.record.split.seconds = 5
    }
    second.run(milliseconds: 8_000)
    let paths = second.takePaths
    #expect(paths.count == 3 && second.announcements("continues").count == 1)
    let last = String(decoding: try #require(second.host.disk.image[paths[2]]), as: UTF8.self)
    #expect(!last.contains("org.fieldcorder.continues"))
    // Interrupted again: the new take continues the file that grew last.
    let third = try boot(after: second, seed: 3)
    third.run(milliseconds: 1_000)
    #expect(third.announcements("continues \(paths[2])").count == 1)
  }

  @Test("after three takes in a row that went on and did not last, the next boot waits for a press and says so")
  func crashLoop() throws {
    var rig = try recording()
    for number in 1...3 as ClosedRange<UInt64> {
      rig = try boot(after: rig, seed: number)
      rig.run(milliseconds: 4_000)
      #expect(try state(rig) == "recording", "boot \(number)")
    }
    rig = try boot(after: rig, seed: 4)
    rig.run(milliseconds: 1_000)
    #expect(try state(rig) == "armed")
    #expect(rig.announcements("is not continued: the last 3 takes were interrupted within 10 s").count == 1)
    #expect(rig.takePaths.count == 4)
    // The next press and the next interruption behave as usual.
    rig.run("press record", milliseconds: 3_000)
    rig = try boot(after: rig, seed: 5)
    rig.run(milliseconds: 1_000)
    #expect(try state(rig) == "recording")
  }

  @Test("a take that went on and lasted ten seconds may be interrupted and gone on with any number of times")
  func lastingTakes() throws {
    var rig = try recording()
    for number in 1...5 as ClosedRange<UInt64> {
      rig = try boot(after: rig, seed: number)
      rig.run(milliseconds: 12_000)
      #expect(try state(rig) == "recording", "boot \(number)")
    }
  }
}
