import Foundation
import Testing

@testable import Console

/// The C library's own function, which its headers declare only with X/Open.
@_silgen_name("wcwidth") private func systemColumnCount(_ character: UInt32) -> Int32

@Suite struct ColumnTests {
  @Test(
    "A character is as wide as the system's",
    arguments: [
      0x20...0x7E, 0xA1...0xAC, 0xAE...0x377, 0x391...0x3A1, 0x410...0x482, 0x1100...0x11FF, 0x2E80...0x2E99,
      0x3041...0x3096, 0x3099...0x30FF, 0x3131...0x318E, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97C,
      0xAC00...0xD7A3, 0xD7B0...0xD7C6, 0xF900...0xFA6D, 0xFF01...0xFF60, 0xFF61...0xFFBE, 0x1F300...0x1F320,
      0x1F600...0x1F64F, 0x20000...0x20100,
    ] as [ClosedRange<UInt32>])
  func agreesWithTheSystem(range: ClosedRange<UInt32>) throws {
    #expect(unsafe setlocale(LC_CTYPE, "C.UTF-8") != nil)
    for value in range {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(scalar.columnCount == Int(systemColumnCount(value)), "U+\(String(value, radix: 16))")
    }
  }
}
