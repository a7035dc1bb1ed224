import Base
import CSodium

/// Half of an Ed25519 key pair (RFC 8032), or half of a signature: 32 bytes.
package struct KeyBytes: BitwiseCopyable, Sendable {
  var bytes: InlineArray<32, UInt8>

  /// - Parameter bytes: in the order of RFC 8032.
  package init(_ bytes: InlineArray<32, UInt8>) { self.bytes = bytes }

  static var textByteCount: Int { 64 }

  /// Nil if `text` does not start with 64 hexadecimal digits.
  package init?(text: Span<UInt8>) {
    guard text.count >= Self.textByteCount else { return nil }
    bytes = InlineArray(repeating: 0)
    for index in 0..<32 {
      guard let high = text[2 * index].hexadecimalDigit, let low = text[2 * index + 1].hexadecimalDigit else {
        return nil
      }
      bytes[index] = high << 4 | low
    }
  }

  /// 64 hexadecimal digits.
  package var text: FixedText<64> {
    var text = FixedText<64>()
    var word: UInt64 = 0
    for index in bytes.indices {
      word = word << 8 | UInt64(bytes[index])
      if index % 8 == 7 { text.append(hexadecimal: word, width: 16) }
    }
    return text
  }
}

extension KeyBytes: Equatable {
  /// Whether all bytes are the same.
  package static func == (left: KeyBytes, right: KeyBytes) -> Bool {
    for index in left.bytes.indices where left.bytes[index] != right.bytes[index] { return false }
    return true
  }
}

/// Signs for the device.
package struct SigningKey: BitwiseCopyable, Sendable {
  /// The key by which others recognise the signatures.
  package let publicKey: KeyBytes
  /// The seed followed by the public key, as libsodium expects.
  private let secret: InlineArray<64, UInt8>

  /// - Parameter seed: random; anyone who has it can sign in the device's name.
  package init(seed: KeyBytes) {
    // May be called repeatedly, and from any thread.
    precondition(sodium_init() >= 0, "libsodium refuses to start")
    var publicBytes = InlineArray<32, UInt8>(repeating: 0)
    var secretBytes = InlineArray<64, UInt8>(repeating: 0)
    var publicSpan = publicBytes.mutableSpan
    var secretSpan = secretBytes.mutableSpan
    // Safe: the sizes are those of crypto_sign(3).
    unsafe publicSpan.withStart { publicStart in
      unsafe secretSpan.withStart { secretStart in
        unsafe seed.bytes.span.withStart { seed in _ = unsafe crypto_sign_seed_keypair(publicStart, secretStart, seed) }
      }
    }
    publicKey = KeyBytes(publicBytes)
    secret = secretBytes
  }

  /// What it was made of; whoever has it can sign in the device's name.
  package var seed: KeyBytes { KeyBytes(InlineArray { index in secret[index] }) }

  package func sign(_ message: Span<UInt8>) -> Signature {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    // Safe: a signature has 64 bytes; its length is not written because no place for it is given.
    unsafe span.withStart { start in
      unsafe secret.span.withStart { secret in
        unsafe message.withStart { text in
          _ = unsafe crypto_sign_detached(start, nil, text, UInt64(message.count), secret)
        }
      }
    }
    return Signature(
      first: KeyBytes(InlineArray { index in bytes[index] }),
      second: KeyBytes(InlineArray { index in bytes[32 + index] }))
  }
}

/// A signature, which only the holder of the secret key can make.
package struct Signature: BitwiseCopyable, Equatable, Sendable {
  let first: KeyBytes
  let second: KeyBytes

  /// Whether the holder of the key has signed this message.
  package func isValid(for message: Span<UInt8>, by key: KeyBytes) -> Bool {
    let bytes = InlineArray<64, UInt8> { index in index < 32 ? first.bytes[index] : second.bytes[index - 32] }
    // Safe: the sizes are those of crypto_sign(3).
    return unsafe bytes.span.withStart { signature in
      unsafe message.withStart { text in
        unsafe key.bytes.span.withStart { key in
          unsafe crypto_sign_verify_detached(signature, text, UInt64(message.count), key) == 0
        }
      }
    }
  }
}

extension Span<UInt8> {
  /// For C code that reads no more bytes than there are.
  fileprivate func withStart<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    unsafe withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { preconditionFailure("nothing to read") }
      return unsafe body(start)
    }
  }
}

extension MutableSpan<UInt8> {
  /// For C code that writes no more bytes than fit.
  fileprivate mutating func withStart(_ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    unsafe withUnsafeMutableBufferPointer { space in
      guard let start = space.baseAddress else { preconditionFailure("nowhere to write") }
      unsafe body(start)
    }
  }
}
