import Base
import Configuration
import Foundation
import Machine
import Media
import TestSupport
import Testing

@testable import Record

/// How loud a take is, in its file.
@Suite struct LoudnessTakeTests {
  private static let containers: [AudioContainer?] = [nil, .aiff, .caf, .flac, .wav]

  private func rig(
    _ container: AudioContainer? = .wav, splitSeconds: UInt32 = 0, isMeasured: Bool = true,
    disk: MemoryDisk = MemoryDisk()
  ) throws -> TakeRig {
    let rig = try TakeRig(disk, hasVideo: container == nil) { settings in
      settings.record.audioContainer = container ?? .wav
      settings.record.measuresLoudness = isMeasured
      settings.record.split.seconds = splitSeconds
    }
    rig.run(milliseconds: 1_500)
    return rig
  }

  private func content(_ rig: TakeRig, _ index: Int = 0) -> [UInt8] { rig.disk.image[rig.opened[index].path] ?? [] }

  /// The entries of a file, without where and when they are.
  private func entries(_ content: [UInt8]) -> [String] {
    ledgerLines(content).compactMap { $0.split(separator: "Z loudness: ").dropFirst().first.map(String.init) }
  }

  /// Measured from the samples of a file.
  private func measured(_ rig: TakeRig, _ index: Int = 0) throws -> String {
    let (path, start) = rig.opened[index]
    let file = try #require(TakeFile(path, start: start, on: rig.disk))
    let region = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 4096)
    defer { unsafe region.deallocate() }
    var memory = unsafe BootMemory(region: region)
    var meter = try unwrapped(LoudnessMeter(in: &memory))
    meter.begin(TakeSource.audioFormat, channels: 1)
    unsafe meter.add(file.sound.span.bytes)
    return String(meter.finish().text)
  }

  private func broadcastNumbers(_ content: [UInt8]) throws -> [Int16] {
    let fields = try #require(content.firstRange(of: Array("bext".utf8))).upperBound + 4 + 412
    return (0..<5).map {
      Int16(bitPattern: UInt16(content[fields + 2 * $0]) | UInt16(content[fields + 2 * $0 + 1]) << 8)
    }
  }

  private func numbers(_ text: String) -> [Int16] {
    text.split(separator: ", ").map { part in
      Int16((Double(part.split(separator: " ").dropLast().last!)! * 100).rounded())
    }
  }

  @Test("the ledger says how loud the sound in the file is, at its end", arguments: containers)
  func ledger(container: AudioContainer?) throws {
    let rig = try rig(container)
    rig.record(milliseconds: 7_350)
    let lines = ledgerLines(content(rig))
    let text = try measured(rig)
    #expect(text.contains("I ") && text.contains("LRA ") && text.contains("TP ") && text.contains("max S "))
    #expect(entries(content(rig)) == [text])
    #expect(lines[lines.count - 2].hasSuffix(text) && lines[lines.count - 1] == "ended: stopped", "\(lines)")
    let frames = try #require(TakeFile(rig.opened[0].path, start: 0, on: rig.disk)).frameCount
    #expect(lines[lines.count - 2].contains(" sample \(frames - 1) "))
  }

  @Test("a WAV has it in its broadcast extension, and in iXML and GUANO")
  func broadcast() throws {
    let rig = try rig()
    rig.record(milliseconds: 5_000)
    let content = content(rig)
    let text = try measured(rig)
    let numbers = numbers(text)
    #expect(try broadcastNumbers(content) == numbers && numbers.count == 5)
    let whole = String(decoding: content, as: UTF8.self)
    #expect(whole.contains("\nFieldcorder|Loudness: \(text)\n"))
    let names = [
      "LOUDNESS_VALUE", "LOUDNESS_RANGE", "MAX_TRUE_PEAK_LEVEL", "MAX_MOMENTARY_LOUDNESS", "MAX_SHORT_TERM_LOUDNESS",
    ]
    for (name, number) in zip(names, numbers) {
      let value = String(format: "%.2f", Double(number) / 100)
      #expect(whole.contains("<BWF_\(name)>\(value)</BWF_\(name)>") && whole.contains("<\(name)>\(value)</\(name)>"))
    }
    #expect(whole.contains("<LOUDNESS>\n<LOUDNESS_VALUE>"))
  }

  @Test("a take that is not to be measured says nothing of it", arguments: containers)
  func notMeasured(container: AudioContainer?) throws {
    let rig = try rig(container, isMeasured: false)
    rig.record(milliseconds: 5_000)
    let content = content(rig)
    #expect(content.count > 1_000 && !String(decoding: content, as: UTF8.self).localizedCaseInsensitiveContains("loud"))
    if container == .wav { #expect(try broadcastNumbers(content) == Array(repeating: 0x7FFF, count: 5)) }
  }

  @Test("each file of a split take is measured for itself")
  func split() throws {
    let rig = try rig(splitSeconds: 5)
    rig.record(milliseconds: 13_000)
    #expect(rig.opened.count == 3)
    for index in rig.opened.indices {
      #expect(entries(content(rig, index)) == [try measured(rig, index)])
      #expect(try broadcastNumbers(content(rig, index)) == numbers(try measured(rig, index)))
    }
  }

  @Test("a take that a power cut interrupted is not measured")
  func interrupted() throws {
    let rig = try rig()
    rig.begin()
    rig.run(milliseconds: 4_000)
    let boot = try TakeRig(MemoryDisk(rig.disk.image), hasVideo: false, ringSeconds: 1)
    boot.work()
    #expect(boot.repaired.map(\.condition) == [.complete])
    let content = boot.disk.image[rig.opened[0].path] ?? []
    #expect(entries(content).isEmpty && ledgerLines(content).last == "ended: interrupted")
    #expect(try broadcastNumbers(content) == Array(repeating: 0x7FFF, count: 5))
  }

  @Test("a take that had ended when the power was cut says after the repair how loud it is", arguments: containers)
  func endedBeforePowerCut(container: AudioContainer?) throws {
    let rig = try rig(container)
    rig.begin()
    rig.run(milliseconds: 5_000)
    rig.end()
    rig.source.advance(milliseconds: 500)
    func isTold() -> Bool {
      String(decoding: rig.disk.image["ledger/0001"] ?? [], as: UTF8.self).contains("Z loudness: ")
    }
    while !isTold() { _ = rig.worker.step() }
    let boot = try TakeRig(MemoryDisk(rig.disk.image), hasVideo: container == nil, ringSeconds: 1)
    boot.work()
    rig.run(milliseconds: 1_000)
    let content = boot.disk.image[rig.opened[0].path] ?? []
    #expect(entries(content) == [try measured(rig)], "\(ledgerLines(content))")
    if container == .wav { #expect(try broadcastNumbers(content) == numbers(try measured(rig))) }
  }

  @Test("fragments that the card refused at first are measured once")
  func retries() throws {
    for failing in stride(from: 0, to: 120, by: 7) {
      let rig = try rig()
      rig.begin()
      rig.run(milliseconds: 1_000)
      rig.disk.failingCalls = rig.disk.callCount + failing..<rig.disk.callCount + failing + 3
      rig.run(milliseconds: 5_000)
      rig.disk.failingCalls = 0..<0
      rig.end()
      rig.run(milliseconds: 1_000)
      for index in rig.opened.indices {
        #expect(entries(content(rig, index)) == [try measured(rig, index)], "call \(failing)")
      }
    }
  }

  @Test("a ledger that is full has room for it")
  func full() throws {
    let rig = try rig()
    rig.begin()
    for _ in 0..<40 {
      for number in 0..<10 {
        rig.note("\(number) \("x" as StaticString), a text that is as long as those of many losses")
      }
      rig.run(milliseconds: 500)
    }
    rig.end()
    rig.run(milliseconds: 1_000)
    let lines = ledgerLines(content(rig))
    #expect(lines[lines.count - 3].hasSuffix("more entries had no room here"))
    #expect(entries(content(rig)) == [try measured(rig)] && lines.last == "ended: stopped")
  }

  @Test("a take begins with the wish that its order brings")
  func wish() throws {
    let rig = try rig(isMeasured: false)
    var wish = RecordSettings()
    for isMeasured in [true, false] {
      wish.content = .audio
      wish.measuresLoudness = isMeasured
      let now = rig.source.now
      rig.send(
        .begin(
          TakeStart(
            number: isMeasured ? 1 : 2, startPosition: now, pressPosition: now, pressUnixNanoseconds: 0,
            orientation: .portrait, form: wish.form())))
      rig.run(milliseconds: 2_000)
      rig.end()
      rig.run(milliseconds: 1_000)
    }
    #expect(entries(content(rig, 0)).count == 1 && entries(content(rig, 1)).isEmpty)
  }

  @Test("channels of timecode and for safety are not measured")
  func mainChannels() {
    #expect(MainChannels().bits(of: 1) == 0b1 && MainChannels().bits(of: 8) == 0xFF)
    #expect(MainChannels(hasSafety: true).bits(of: 4) == 0b11 && MainChannels(timecode: 3).bits(of: 4) == 0b1011)
    #expect(MainChannels(hasSafety: true, timecode: 2).bits(of: 6) == 0b101)
    #expect(MainChannels(timecode: 1).bits(of: 1) == 0 && MainChannels(timecode: 7).bits(of: 2) == 0b11)
  }
}
