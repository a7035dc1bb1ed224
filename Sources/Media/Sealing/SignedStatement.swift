import Base

/// What every line of a seal is: a statement, which ends in the key of its device, and the signature of that.
struct SignedStatement {
  /// By whom.
  let key: KeyBytes
  /// Whether the holder of the key has signed it.
  let isSigned: Bool

  /// Bytes of a line, its end included.
  static func lineByteCount(statementByteCount: Int) -> Int {
    statementByteCount + signatureStart.utf8CodeUnitCount + 2 * KeyBytes.textByteCount + 1
  }

  /// What follows a statement in its line.
  static func ending(of statement: Span<UInt8>, signedBy key: SigningKey) -> FixedText<144> {
    let signature = key.sign(statement)
    return "\(signatureStart)\(signature.first.text)\(signature.second.text)\n"
  }

  /// Nil if `line`, without its end, is no such line.
  init?(line: Span<UInt8>, statementByteCount: Int) {
    let length = KeyBytes.textByteCount
    guard line.count == Self.lineByteCount(statementByteCount: statementByteCount) - 1,
      let signature = line.extracting(droppingFirst: statementByteCount).removingPrefix(Self.signatureStart),
      let key = KeyBytes(text: line.extracting(statementByteCount - length..<statementByteCount)),
      let first = KeyBytes(text: signature.extracting(first: length)),
      let second = KeyBytes(text: signature.extracting(last: length))
    else { return nil }
    self.key = key
    isSigned = Signature(first: first, second: second)
      .isValid(for: line.extracting(first: statementByteCount), by: key)
  }

  private static var signatureStart: StaticString { ", signature " }
}
