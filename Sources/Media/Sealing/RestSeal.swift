import Base

/// What a device states, and signs, of all bytes of a finished file but those that its ``Seal`` is about: header,
/// tables, ledger, and what an interrupted take had after its last seal. The last line of a ledger, always of
/// ``lineByteCount`` bytes.
package struct RestSeal: Equatable, Sendable {
  /// When a seal is made.
  package enum Occasion: BitwiseCopyable, Equatable, Sendable {
    /// At the end of the take.
    case finished
    /// At a boot after the take was interrupted, or its end was.
    case repaired

    fileprivate var word: StaticString { self == .finished ? "finished" : "repaired" }
  }

  /// When it is made.
  package var occasion: Occasion
  /// Of the file.
  package var byteCount: UInt64
  /// Of its bytes without those of the ``Seal``, and without this line.
  package var hash: Digest

  /// - Parameter byteCount: less than 10¹⁶.
  package init(_ occasion: Occasion, byteCount: UInt64, hash: Digest) {
    self.occasion = occasion
    self.byteCount = byteCount
    self.hash = hash
  }

  /// `seal when finished, file of 0000000000005678 bytes: …, key …, signature …`
  @export(interface)
  package func line(signedBy key: SigningKey) -> FixedText<336> {
    let statement: FixedText<192> = """
      \(Self.lineStart)\(occasion.word), file of \(byteCount, width: 16) bytes: \(hash.text), key \(key.publicKey.text)
      """
    return "\(statement)\(SignedStatement.ending(of: statement.bytes, signedBy: key))"
  }

  /// The line while it is not known what it is to say.
  package static var blankLine: FixedText<336> {
    var line: FixedText<336> = "\(lineStart)"
    while line.byteCount < lineByteCount - 1 { line.append(byte: UInt8(ascii: " ")) }
    line.append(byte: UInt8(ascii: "\n"))
    return line
  }

  /// Bytes of the line, its end included.
  package static var lineByteCount: Int { SignedStatement.lineByteCount(statementByteCount: statementByteCount) }

  /// How the line starts.
  package static var lineStart: StaticString { "seal when " }

  fileprivate static var statementByteCount: Int { 186 }
}

/// The seal of a rest as it was found in a file.
package struct FoundRestSeal: Sendable {
  /// What is stated.
  package let seal: RestSeal
  /// By whom.
  package let key: KeyBytes
  /// Whether the holder of the key has signed it.
  package let isSigned: Bool

  /// Nil if `line` is not the line of such a seal, without its end.
  package init?(line: Span<UInt8>) {
    guard let signed = SignedStatement(line: line, statementByteCount: RestSeal.statementByteCount),
      let byteCount = line.extracting(28..<44).parseInteger(as: UInt64.self),
      let hash = Digest(text: line.extracting(52..<116))
    else { return nil }
    let word = line.extracting(10..<18)
    guard word.equals("finished") || word.equals("repaired") else { return nil }
    seal = RestSeal(word.equals("finished") ? .finished : .repaired, byteCount: byteCount, hash: hash)
    key = signed.key
    isSigned = signed.isSigned
  }
}

/// The hash of all bytes of a file but those of some range, its content, and those of a line behind that.
package struct RestHash: Sendable {
  private var hash = RunningHash()
  /// Up to here the file was taken in, or left out.
  private var position: UInt64 = 0
  private let content: Range<UInt64>
  private let line: Range<UInt64>
  /// Of the file.
  package let byteCount: UInt64

  /// - Parameters:
  ///   - content: may be empty.
  ///   - lineStart: of a line of ``RestSeal/lineByteCount`` bytes.
  ///   - byteCount: of the file.
  /// - Returns: nil if these do not follow each other in a file.
  package init?(content: Range<UInt64>, lineStart: UInt64, byteCount: UInt64) {
    guard content.upperBound <= lineStart, lineStart < byteCount,
      UInt64(RestSeal.lineByteCount) <= byteCount - lineStart
    else { return nil }
    self.content = content
    line = lineStart..<lineStart + UInt64(RestSeal.lineByteCount)
    self.byteCount = byteCount
  }

  /// The next bytes that ``add(_:)`` is to get; nil when it got all.
  package mutating func next(atMost count: Int) -> Range<UInt64>? {
    if position >= content.lowerBound, position < content.upperBound { position = content.upperBound }
    if position == line.lowerBound { position = line.upperBound }
    guard position < byteCount else { return nil }
    let end =
      position < content.lowerBound ? content.lowerBound : position < line.lowerBound ? line.lowerBound : byteCount
    return position..<min(end, position + UInt64(count))
  }

  /// Takes in the bytes that ``next(atMost:)`` has named, or the first of them.
  package mutating func add(_ bytes: RawSpan) {
    hash.add(bytes)
    position += UInt64(bytes.byteCount)
  }

  /// The hash of what was taken in.
  package var digest: Digest { hash.digest }
}
