import Machine
import TestSupport
import Testing

@testable import Catalog

@Suite struct HistoryTests {
  @Test("What is kept is told, the newest last, also after a restart")
  func keeps() throws {
    let rig = try HistoryRig()
    #expect(try rig.run(.tell(count: 20)) == ["done 0"])
    for number in 1...30 { #expect(try rig.keep("\(number)*2")) }
    let all = (1...30).map { "\($0) × 2 = \($0 * 2)" }
    #expect(try rig.told() == all)
    #expect(try rig.run(.tell(count: 3)) == Array(all.suffix(3)) + ["done 3"])
    let boot = try HistoryRig(rig.disk)
    #expect(try boot.told() == all)
    #expect(try boot.keep("5/2"))
    #expect(try boot.told(2) == ["30 × 2 = 60", "5 ÷ 2 = 2.5"])
  }

  @Test("The newest 10,000 are kept, and the files are bounded")
  func isBounded() throws {
    let rig = try HistoryRig()
    let limit = HistoryLimits.calculations
    for number in 1...limit * 2 + 5 { try rig.keep("\(number)") }
    let expected = (limit + 6...limit * 2 + 5).map { "\(Self.grouped($0)) = \(Self.grouped($0))" }
    #expect(try rig.told() == expected)
    #expect(try HistoryRig(rig.disk).told() == expected)
    #expect(try HistoryRig(rig.disk).told(7) == Array(expected.suffix(7)))
    #expect(rig.disk.image.byteCount < (limit * 2 + 1) * 30)
    #expect(Set(rig.disk.image.names.keys) == ["calculations", "calculations.old"])
  }

  private static func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : "\(number / 1000),\(String(1000 + number % 1000).dropFirst())"
  }

  @Test("What an export wrote is imported with the same results, and nothing is overwritten")
  func exports() throws {
    let rig = try HistoryRig()
    let expressions = ["1/3", "200+10%", "48000*24bit*2*3h", "(1+2)*-3", "64GB/(5MB/s)", "1e40*7"]
    for expression in expressions { try rig.keep(expression) }
    #expect(try rig.run(.export(path: "paper.txt")) == ["done 6"])
    let lines = try rig.told()
    #expect(rig.disk.image["paper.txt"] == Array(lines.map { $0 + "\n" }.joined().utf8))
    #expect(try rig.run(.export(path: "paper.txt"))[0].hasPrefix("refused: "))
    #expect(rig.disk.image["paper.txt"] == Array(lines.map { $0 + "\n" }.joined().utf8))

    let other = try HistoryRig()
    put(rig.disk.image["paper.txt"] ?? [], as: "paper.txt", on: other.disk)
    #expect(try other.run(.take(path: "paper.txt")) == ["done 6"])
    #expect(try other.told() == lines)
    #expect(try other.run(.take(path: "absent.txt"))[0].hasPrefix("refused: "))
  }

  @Test("An import calculates anew and takes blank lines, but nothing at all of a file with a bad line")
  func importsCarefully() throws {
    let rig = try HistoryRig()
    try rig.keep("1")
    put(Array("2*3 = 99\r\n\n  7-2\n4/8".utf8), as: "good", on: rig.disk)
    #expect(try rig.run(.take(path: "good")) == ["done 3"])
    #expect(try rig.told() == ["1 = 1", "2 × 3 = 6", "7 − 2 = 5", "4 ÷ 8 = 0.5"])
    let bad: [(String, String)] = [
      ("1+1\n2+\n", "line 2, column 3: a number is missing: nothing was imported"),
      ("1+1\n\u{0}\n", "line 2, column 1: \"\u{0}\" is not part of a calculation: nothing was imported"),
      (String(repeating: "1", count: 700), "line 1 is too long for a calculation: nothing was imported"),
      ("1\n" + String(repeating: "\u{1}", count: 20_000), "line 2 is too long for a calculation: nothing was imported"),
      (
        String(repeating: "1\n", count: 10_001),
        "the file has more than 10,000 calculations: nothing was imported"
      ),
      ("ans*2", "line 1, column 1: there is no result yet for ans: nothing was imported"),
    ]
    for (index, (text, reason)) in bad.enumerated() {
      put(Array(text.utf8), as: "bad\(index)", on: rig.disk)
      #expect(try rig.run(.take(path: .init("bad\(index)"))) == ["refused: \(reason)"])
    }
    #expect(try rig.told().count == 4)
    put(Array(String(repeating: "1\n", count: 10_000).utf8), as: "many", on: rig.disk)
    #expect(try rig.run(.take(path: "many")) == ["done 10000"])
    #expect(try rig.told() == Array(repeating: "1 = 1", count: 10_000))
  }

  @Test("Line ends of other systems and a byte order mark, in the history and in an import, lose nothing")
  func readsAllLineEnds() throws {
    let rig = try HistoryRig()
    for number in 1...800 { try rig.keep("\(number)+0") }
    let all = try rig.told()
    let text = String(decoding: rig.disk.image["calculations"] ?? [], as: UTF8.self)
    for end in ["\r\n", "\r"] {
      let disk = MemoryDisk()
      put(Array(("\u{FEFF}" + text.replacing("\n", with: end)).utf8), as: "calculations", on: disk)
      put(Array("\u{FEFF}1+1\(end)\(end)2+2 = 4\(end)3+3".utf8), as: "paper", on: disk)
      put(Array("1\(end)\(end)2+".utf8), as: "bad", on: disk)
      let boot = try HistoryRig(disk)
      #expect(try boot.told() == all)
      #expect(try boot.run(.take(path: "paper")) == ["done 3"])
      #expect(try HistoryRig(disk).told() == all + ["1 + 1 = 2", "2 + 2 = 4", "3 + 3 = 6"])
      #expect(try boot.run(.take(path: "bad"))[0].contains("line 3, column 3"))
    }
  }

  @Test("Damaged and foreign lines are passed over, and what is torn is written over")
  func passesOverDamage() throws {
    let rig = try HistoryRig()
    for number in 1...5 { try rig.keep("\(number)") }
    var bytes = rig.disk.image["calculations"] ?? []
    // The third line gets a changed digit, and the last one loses its end.
    bytes[bytes.count / 5 * 2 + 9] = UInt8(ascii: "8")
    bytes.removeLast(3)
    bytes = Array((String(repeating: "x", count: 9_000) + "\n\n").utf8) + bytes
    let disk = MemoryDisk()
    put(bytes, as: "calculations", on: disk)
    let boot = try HistoryRig(disk)
    #expect(try boot.told() == ["1 = 1", "2 = 2", "4 = 4"])
    try boot.keep("6")
    #expect(try boot.told() == ["1 = 1", "2 = 2", "4 = 4", "6 = 6"])
    #expect(try HistoryRig(disk).told() == ["1 = 1", "2 = 2", "4 = 4", "6 = 6"])
  }

  @Test("A card that fails is told, half of an export is removed, and what was kept before stays")
  func outlivesFailures() throws {
    for call in 1...20 {
      let rig = try HistoryRig()
      for number in 1...3 { try rig.keep("\(number)") }
      rig.disk.failingCalls = rig.disk.callCount + call..<rig.disk.callCount + call + 1
      var kept = ["1 = 1", "2 = 2", "3 = 3"]
      let isKept = try rig.keep("4")
      if isKept { kept.append("4 = 4") }
      let export = try rig.run(.export(path: "paper.txt"))
      rig.disk.failingCalls = 0..<0
      let told = try rig.told()
      let isExported = export == ["done \(told.count)"]
      #expect(isExported || export[0].hasPrefix("refused: "), "\(call): \(export)")
      #expect(isExported == (rig.disk.image["paper.txt"] != nil), "\(call)")
      // A line may be stored even though its synchronisation failed.
      #expect(told == kept || told == kept + ["4 = 4"], "\(call): \(told)")
    }
  }

  @Test("While a take is recorded ten steps are made a second, at most")
  func restsDuringTakes() throws {
    let rig = try HistoryRig()
    put(Array(String(repeating: "1\n", count: 10_000).utf8), as: "many", on: rig.disk)
    rig.isRecording = true
    rig.now = 1_000_000_000
    #expect(try rig.run(.take(path: "many")) == ["done 10000"])
    let seconds = (rig.now.rawValue - 1_000_000_000) / 1_000_000_000
    #expect(rig.stepCount > 5 && rig.stepCount <= Int(seconds + 1) * 10)
  }

  private func put(_ bytes: [UInt8], as path: String, on disk: MemoryDisk) {
    var storage = Storage(MemoryStorage(disk))
    do throws(DeviceFailure) {
      var file = try storage.create(.init(path))
      try unsafe file.write(bytes.span.bytes, at: 0)
    } catch {
      Issue.record("the disk refused")
    }
  }
}
