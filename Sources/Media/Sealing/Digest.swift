import CSodium
import Text

/// The first 256 bits of a SHA-512 (FIPS 180-4): `sha512sum | cut -c1-64`.
public struct Digest: BitwiseCopyable, Sendable {
  /// The bytes, each word's highest first.
  private let words: InlineArray<4, UInt64>

  init(words: InlineArray<4, UInt64>) { self.words = words }

  /// Nil if `text` is not of 64 hexadecimal digits.
  init?(text: Span<UInt8>) {
    guard text.count == 64 else { return nil }
    var words = InlineArray<4, UInt64>(repeating: 0)
    for index in text.indices {
      guard let digit = text[index].hexadecimalDigit else { return nil }
      words[index / 16] = words[index / 16] << 4 | UInt64(digit)
    }
    self.words = words
  }

  /// 64 hexadecimal digits.
  public var text: FixedText<64> {
    var text = FixedText<64>()
    for index in words.indices { text.append(hexadecimal: words[index], width: 16) }
    return text
  }

  /// The first 16 of these digits: enough to see which of some hashes differ.
  public var shortText: FixedText<16> { "\(hexadecimal: words[0], width: 16)" }
}

extension Digest: Equatable {
  /// Whether all bits are the same.
  public static func == (left: Digest, right: Digest) -> Bool {
    for index in left.words.indices where left.words[index] != right.words[index] { return false }
    return true
  }
}

/// The hash of bytes that come in pieces.
public struct RunningHash: BitwiseCopyable, Sendable {
  private var state = crypto_hash_sha512_state()

  /// Of nothing yet.
  public init() { unsafe crypto_hash_sha512_init(&state) }

  /// Takes in a piece.
  public mutating func add(_ bytes: RawSpan) {
    // Sound: as many bytes are read as lie there. The function cannot fail.
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe crypto_hash_sha512_update(
        &state, start.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }
  }

  mutating func add(_ digest: Digest) {
    for index in 0..<4 { add(digest.word(index)) }
  }

  /// Takes in a byte.
  public mutating func add(byte: UInt8) {
    let bytes = InlineArray<1, UInt8>(repeating: byte)
    unsafe add(bytes.span.bytes)
  }

  private mutating func add(_ word: UInt64) {
    let bytes = InlineArray<1, UInt64>(repeating: word.bigEndian)
    unsafe add(bytes.span.bytes)
  }

  /// The hash of all pieces so far; more may follow.
  public var digest: Digest {
    var copy = state
    var bytes = InlineArray<8, UInt64>(repeating: 0)
    var span = bytes.mutableSpan
    // Sound: 8 × 8 bytes are what the function writes.
    unsafe span.withUnsafeMutableBytes { space in
      guard let start = space.baseAddress else { return }
      unsafe crypto_hash_sha512_final(&copy, start.assumingMemoryBound(to: UInt8.self))
    }
    return Digest(words: InlineArray { index in UInt64(bigEndian: bytes[index]) })
  }
}

extension Digest {
  fileprivate func word(_ index: Int) -> UInt64 { words[index] }
}
