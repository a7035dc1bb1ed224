import TestSupport
import Testing
import Wire

@Suite struct LyricsReaderTests {
  @Test(
    "Whatever a decoder's process leaves in the memory, the lines are bounded and can be printed", arguments: 0..<200)
  func anything(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }
    // Small length fields, so that there are several lines.
    for index in stride(from: 5, to: bytes.count, by: 2) where Bool.random(using: &random) { bytes[index] = 0 }
    var reader = LyricsReader(byteCount: Int.random(in: 0...200_000, using: &random))
    var count = 0
    unsafe bytes.withUnsafeBytes { memory in
      while let line = unsafe reader.next(in: memory) {
        count += 1
        #expect(line.text.byteCount <= 256)
        #expect(String(line.text).unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      }
    }
    #expect(count <= 500)
  }
}
