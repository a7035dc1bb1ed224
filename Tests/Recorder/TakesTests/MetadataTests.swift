import Foundation
import Machine
import TestSupport
import Testing

@testable import Record

/// What a WAV says about itself after a split, and after a repair.
@Suite struct MetadataTests {
  private func text(_ rig: TakeRig, _ index: Int) -> String {
    String(decoding: rig.disk.image[rig.opened[index].path] ?? [], as: UTF8.self)
  }

  private func value(_ element: String, _ text: String) -> String? {
    text.components(separatedBy: "<\(element)>").dropFirst().first?.components(separatedBy: "</\(element)>").first
  }

  private func rig(splitSeconds: UInt32 = 0) throws -> TakeRig {
    let rig = try TakeRig(hasVideo: false) { settings in
      settings.record.audioContainer = .wav
      settings.record.split.seconds = splitSeconds
    }
    rig.run(milliseconds: 1_500)
    rig.begin()
    return rig
  }

  @Test("the files of a split take have one family and one take, and are counted")
  func split() throws {
    let rig = try rig(splitSeconds: 2)
    rig.run(milliseconds: 5_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    let texts = rig.opened.indices.map { text(rig, $0) }
    #expect(texts.count >= 3)
    #expect(texts.map { value("FILE_SET_INDEX", $0) } == texts.indices.map { "\($0 + 1)" })
    #expect(texts.map { value("TAKE", $0) } == texts.map { _ in "1" })
    #expect(Set(texts.map { value("FAMILY_UID", $0) }) == [value("FILE_UID", texts[0])])
    #expect(Set(texts.map { value("FILE_UID", $0) }).count == texts.count)
    let ledger = ledgerLines(rig.disk.image[rig.opened[1].path] ?? [])
    #expect(ledger.count { $0.hasSuffix("Z part 2 of take 0001") } == 1, "\(ledger)")
  }

  @Test("a repaired take says as much as a finished one, with the length that it has")
  func repaired() throws {
    let rig = try rig()
    rig.run(milliseconds: 1_000)
    rig.note("mark: early")
    rig.run(milliseconds: 2_000)
    let boot = try TakeRig(MemoryDisk(rig.disk.image), hasVideo: false, ringSeconds: 1)
    boot.work()
    #expect(boot.repaired.map(\.condition) == [.complete])
    let path = rig.opened[0].path
    let text = String(decoding: boot.disk.image[path] ?? [], as: UTF8.self)
    #expect(value("TAKE", text) == "1" && value("BWF_ORIGINATOR", text) == "fieldcorder")
    #expect(text.contains("adtllabl") && text.contains("Fieldcorder|Ended: interrupted"))
    let file = try #require(TakeFile(path, start: rig.opened[0].start, on: boot.disk))
    let seconds = Double(file.frameCount) / Double(TakeSource.rateHz)
    #expect(text.contains("\nLength: \(String(format: "%.6f", seconds))\n"))
  }
}
