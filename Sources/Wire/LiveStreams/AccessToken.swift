import Base

/// The secret that every request must have: 16 to 64 printable ASCII characters without spaces.
package struct AccessToken: BitwiseCopyable, Sendable {
  private static var leastByteCount: Int { 16 }

  private let text: FixedText<64>

  /// - Parameter line: of a file; what follows the first white space is left out.
  /// - Returns: nil when it is too short, too long, or not printable.
  package init?(_ line: Span<UInt8>) {
    var count = 0
    while count < line.count, line[count] > UInt8(ascii: " "), line[count] < 0x7F { count += 1 }
    let isEnded = count == line.count || line[count] == UInt8(ascii: "\n") || line[count] == UInt8(ascii: "\r")
    guard isEnded, count >= Self.leastByteCount, count <= StreamLimits.tokenByteCount else { return nil }
    text = FixedText(line.extracting(first: count))
  }

  /// A new one of 128 random bits.
  package init(randomHigh: UInt64, randomLow: UInt64) {
    text = "\(hexadecimal: randomHigh, width: 16)\(hexadecimal: randomLow, width: 16)"
  }

  /// Its characters.
  package var bytes: FixedText<64> { text }

  /// Whether a request has the token. It takes as long wherever the first difference is.
  package func matches(_ claim: Span<UInt8>) -> Bool {
    var difference = claim.count ^ text.byteCount
    for index in 0..<StreamLimits.tokenByteCount {
      let expected = index < text.byteCount ? text.bytes[index] : 0
      let given = index < claim.count ? claim[index] : 0
      difference |= Int(expected ^ given)
    }
    return difference == 0
  }
}
