import TestSupport

/// Damages files as cards, cables and attackers do.
package enum Mutation {
  /// The bytes with one to six random changes, different for each seed.
  package static func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var wounded = bytes
    for _ in 0..<Int.random(in: 1...6, using: &generator) { wound(&wounded, using: &generator) }
    return wounded
  }

  private static func wound(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    guard bytes.count > 16 else { return bytes.append(contentsOf: random(64, using: &generator)) }
    switch Int.random(in: 0..<9, using: &generator) {
    case 0, 1: flipBits(&bytes, in: 0..<bytes.count, using: &generator)
    case 2, 3: flipBits(&bytes, in: 0..<min(bytes.count, 512), using: &generator)
    case 4: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
    case 5: bytes += random(Int.random(in: 1...100_000, using: &generator), using: &generator)
    case 6: swapChunks(&bytes, using: &generator)
    case 7: doubleChunk(&bytes, using: &generator)
    default: setNumber(&bytes, using: &generator)
    }
  }

  private static func flipBits(_ bytes: inout [UInt8], in range: Range<Int>, using generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...24, using: &generator) {
      bytes[Int.random(in: range, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    }
  }

  private static func swapChunks(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    let length = Int.random(in: 1...bytes.count / 4, using: &generator)
    let first = Int.random(in: 0...bytes.count / 2 - length, using: &generator)
    let second = Int.random(in: bytes.count / 2...bytes.count - length, using: &generator)
    let kept = Array(bytes[first..<first + length])
    bytes.replaceSubrange(first..<first + length, with: bytes[second..<second + length])
    bytes.replaceSubrange(second..<second + length, with: kept)
  }

  private static func doubleChunk(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    let length = Int.random(in: 1...min(65_536, bytes.count / 2), using: &generator)
    let from = Int.random(in: 0...bytes.count - length, using: &generator)
    bytes.insert(contentsOf: Array(bytes[from..<from + length]), at: Int.random(in: 0..<bytes.count, using: &generator))
  }

  /// Headers contain numbers of 16, 32 and 64 bits, at even offsets.
  private static func setNumber(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    let size = [2, 4, 8].randomElement(using: &generator)!
    let place = Int.random(in: 0..<min(bytes.count - size, 1_024) / 2 + 1, using: &generator) * 2
    let numbers: [[UInt8]] = [
      [UInt8](repeating: 0, count: size), [UInt8](repeating: 0xFF, count: size),
      [0x7F] + [UInt8](repeating: 0xFF, count: size - 1), [UInt8](repeating: 0xFF, count: size - 1) + [0x7F],
      [0x80] + [UInt8](repeating: 0, count: size - 1), random(size, using: &generator),
    ]
    guard place + size <= bytes.count else { return }
    bytes.replaceSubrange(place..<place + size, with: numbers.randomElement(using: &generator)!)
  }

  private static func random(_ count: Int, using generator: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}
