import Configuration
import Foundation
import TestSupport
import Testing

@Suite struct DefaultFileTests {
  private let file = ScratchFile()
  private let text: String

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    text = try String(contentsOf: root.appending(path: "rootfs-overlay/etc/fieldcorder.conf"), encoding: .utf8)
  }

  @Test("The file as it is delivered means the defaults")
  func meansDefaults() throws {
    #expect(try file.load(text) == Settings())
  }

  @Test("With every key uncommented it says every setting, in order, with its default")
  func namesEverySetting() throws {
    let uncommented = text.split(separator: "\n").map { $0.replacing(#/^# ([a-z0-9_]+ = )/#) { $0.output.1 } }
    let settings = uncommented.filter { !$0.hasPrefix("#") }.map { String($0) }
    #expect(settings == Settings().lines)
    #expect(try file.load(uncommented.joined(separator: "\n")) == Settings())
  }

  @Test("Every key has an explanation above it")
  func explainsEverySetting() {
    var lastComment = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("[") { lastComment = "" }
      guard line.hasPrefix("#") else { continue }
      guard line.contains(#/^# [a-z0-9_]+ = /#) else {
        lastComment = String(line)
        continue
      }
      #expect(lastComment.hasSuffix(".") || lastComment.hasSuffix(":"), "\(line)")
    }
  }

  @Test("Whatever is done to its bytes, it is read or refused in one line, and nothing else happens", arguments: 0..<4)
  func survivesMutation(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bytes = Array((text.prefix(200) + "\n" + Settings().lines.joined(separator: "\n")).utf8)
    var refusedCount = 0
    let count = Cases.count(500, of: 5000)
    for _ in 0..<count {
      guard let line = try file.refusal(of: mutated(bytes, using: &generator)) else { continue }
      refusedCount += 1
      #expect(line.hasPrefix("fieldcorder: FILE:"))
      #expect(!line.utf8.contains { $0 < 0x20 && $0 != 0x09 })
    }
    // Both must happen for the test to be meaningful.
    #expect((count * 8 / 100...count * 98 / 100).contains(refusedCount), "\(refusedCount)")
  }

  private func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let place = Int.random(in: 0..<bytes.count - 64, using: &generator)
      let length = Int.random(in: 1...32, using: &generator)
      switch UInt8.random(in: 0..<6, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
      case 1: bytes[place] = "\n=:[];#0123456789abc ".utf8.randomElement(using: &generator)!
      case 2: bytes.removeSubrange(place..<place + length)
      case 3:
        bytes.insert(contentsOf: bytes[place..<place + length], at: Int.random(in: 0...bytes.count, using: &generator))
      case 4: bytes.swapAt(place, place + length - 1)
      default: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &generator), at: place)
      }
    }
    return bytes
  }
}
