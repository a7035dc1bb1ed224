import Base
import TestSupport
import Testing

@testable import Catalog

@Suite struct LibraryPathTests {
  @Test(
    "The order is total: antisymmetric and transitive",
    arguments: 0..<4 as Range<UInt64>)
  func isAnOrder(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let paths = Array(Set((0..<60).map { _ in path(using: &generator) }))
    for first in paths {
      #expect(!precedes(first, first))
      for second in paths where second != first {
        #expect(precedes(first, second) != precedes(second, first), "\(first) \(second)")
        for third in paths where precedes(first, second) && precedes(second, third) {
          #expect(precedes(first, third), "\(first) \(second) \(third)")
        }
      }
    }
  }

  @Test(
    "A path is normalized",
    arguments: [
      ("music/a", "music/a"), ("./music/a", "music/a"), (".//music//a/", "music/a"), ("/", "/"), ("//usb//", "/usb"),
      (".", "."), ("./", "."), ("../x", "../x"), ("", ""), (".hidden", ".hidden"),
    ])
  func normalizes(path: String, expected: String) {
    #expect(String(LibraryPath.normalized(FixedText<256>(path))) == expected)
  }

  @Test(
    "A take is recognised by its name, and its number follows the time",
    arguments: [
      ("audio/20260101/120000-0001.wav", 1), ("video/20260101/235959-12345.mov", 12345),
      ("audio/20260101/120000-001.wav", 0), ("audio/20260101/12000-0001.wav", 0), ("music/120000-0001.wav", 0),
      ("audio/20260101/120000-0001x.wav", 0), ("audio/20260101/120000-99999999999.wav", 0),
      ("audio/20260101/12:000-0001.wav", 0), ("photo/20260101/120000-0042.jpg", 42),
    ])
  func numbers(path: String, number: UInt32) {
    let bytes = Array(path.utf8)
    let told = LibraryPath.takeNumber(of: bytes.span)
    #expect(told == number)
  }

  @Test(
    "What plays is listed, whatever it is called",
    arguments: [
      "wma", "ape", "mpc", "spx", "tta", "amr", "3gp", "mkv", "ac3", "dsf", "tak", "WMA", "mp3", "bwf", "asf", "weba",
      "mp1", "dff", "3g2", "xyz", "001",
    ])
  func lists(fileExtension: String) {
    let path = Array("music/a b/c.\(fileExtension)".utf8)
    #expect(LibraryPath.kind(of: path.span) == .music)
    let bare = Array("music/a b/\(fileExtension)".utf8)
    #expect(LibraryPath.kind(of: bare.span) == .music)
    for name in ["\(fileExtension).txt", ".\(fileExtension)", "a.\(fileExtension).part", "a.\(fileExtension)~"] {
      let other = Array("music/a b/\(name)".utf8)
      #expect(LibraryPath.kind(of: other.span) == nil)
    }
  }

  @Test("Numbers in names count by their value")
  func countsNumbers() {
    let names = ["1.mp3", "01.mp3", "2.mp3", "10 a.mp3", "100.mp3", "cd 2/1", "cd 10/1"].map { "music/" + $0 }
    for (first, second) in zip(names, names.dropFirst()) { #expect(precedes(first, second), "\(first) \(second)") }
  }

  @Test("Names are in order regardless of case, and the files of a folder stay together")
  func ignoresCase() {
    let names = ["apple.mp3", "AB/2.mp3", "ab/1.mp3", "Banana.mp3", "BANANA.mp3", "cherry.mp3", "Über.mp3"]
    let expected = ["AB/2.mp3", "ab/1.mp3", "apple.mp3", "BANANA.mp3", "Banana.mp3", "cherry.mp3", "Über.mp3"]
    #expect(names.sorted { precedes("music/" + $0, "music/" + $1) } == expected)
  }

  private func precedes(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    return LibraryPath.precedes(
      left.span, takeNumber: LibraryPath.takeNumber(of: left.span), right.span,
      takeNumber: LibraryPath.takeNumber(of: right.span))
  }

  private func path(using generator: inout SeededGenerator) -> String {
    let root = ["audio", "video", "music", "music/a", "music/a b", "audio/20260101", "audio/20260102"]
      .randomElement(using: &generator)!
    let names = [
      "a", "a b", "a.mp3", "120000-0001.wav", "120001-0001.wav", "110000-0003.wav", "x/y", "X/y", "X/a", "x", "X",
      "x.wav", "A.mp3", "A", "é",
    ]
    return root + "/" + names.randomElement(using: &generator)!
  }
}
