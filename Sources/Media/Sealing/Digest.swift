import Base
import CSodium

/// A 256-bit BLAKE2b hash without a key (RFC 7693): `b2sum -l 256`.
package struct Digest: BitwiseCopyable, Sendable {
  /// The bytes as big-endian words.
  private let words: InlineArray<4, UInt64>

  init(words: InlineArray<4, UInt64>) { self.words = words }

  /// Nil if `text` is not 64 hexadecimal digits.
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
  package var text: FixedText<64> {
    var text = FixedText<64>()
    for index in words.indices { text.append(hexadecimal: words[index], width: 16) }
    return text
  }

  /// The first 64 bits: enough to tell which of several hashes differ.
  package var start: UInt64 { words[0] }
}

extension Digest: Equatable {
  package static func == (left: Digest, right: Digest) -> Bool {
    for index in left.words.indices where left.words[index] != right.words[index] { return false }
    return true
  }
}

/// A hash computed piece by piece.
package struct RunningHash: BitwiseCopyable, Sendable {
  /// libsodium's `crypto_generichash_state`. It asks for an alignment that Swift does not give, but reads and writes it
  /// byte by byte.
  private var state = InlineArray<48, UInt64>(repeating: 0)

  /// The hash of no bytes.
  package init() {
    // Safe: without a key nothing is read.
    unsafe withState { state in _ = unsafe crypto_generichash_init(state, nil, 0, Self.byteCount) }
  }

  private static var byteCount: Int { 32 }

  /// Adds a piece.
  package mutating func add(_ bytes: RawSpan) {
    // Safe: only as many bytes are read as there are. The function cannot fail.
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      let count = UInt64(bytes.count)
      unsafe withState { state in
        _ = unsafe crypto_generichash_update(state, start.assumingMemoryBound(to: UInt8.self), count)
      }
    }
  }

  mutating func add(_ digest: Digest) {
    for index in 0..<4 { add(big64: digest.word(index)) }
  }

  mutating func add(big64 word: UInt64) {
    let bytes = InlineArray<1, UInt64>(repeating: word.bigEndian)
    unsafe add(bytes.span.bytes)
  }

  /// Adds a byte.
  package mutating func add(byte: UInt8) {
    let bytes = InlineArray<1, UInt8>(repeating: byte)
    unsafe add(bytes.span.bytes)
  }

  /// The hash of all pieces so far; more may follow.
  package var digest: Digest {
    var copy = self
    var bytes = InlineArray<4, UInt64>(repeating: 0)
    var span = bytes.mutableSpan
    // Safe: the function is told to write 4 × 8 bytes.
    unsafe span.withUnsafeMutableBytes { space in
      guard let start = space.baseAddress else { return }
      unsafe copy.withState { state in
        _ = unsafe crypto_generichash_final(state, start.assumingMemoryBound(to: UInt8.self), Self.byteCount)
      }
    }
    return Digest(words: InlineArray { index in UInt64(bigEndian: bytes[index]) })
  }

  private mutating func withState(_ body: (OpaquePointer) -> Void) {
    var span = state.mutableSpan
    // Safe: 48 × 8 bytes are the size of the state.
    unsafe span.withUnsafeMutableBytes { space in
      guard let start = space.baseAddress else { return }
      unsafe body(OpaquePointer(start))
    }
  }
}

extension Digest {
  fileprivate func word(_ index: Int) -> UInt64 { words[index] }
}
