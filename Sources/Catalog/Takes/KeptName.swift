import Base

/// The user's name for a take, as its file has it: one line.
package struct KeptName: BitwiseCopyable, Sendable {
  /// What can be read of it; empty if the take has none.
  package private(set) var text = FixedText<64>()
  /// Whether the file has something else than one line of text.
  package private(set) var isDamaged = false

  init(isDamaged: Bool = false) { self.isDamaged = isDamaged }

  /// - Parameter bytes: the file, or at least 66 bytes of it.
  init(_ bytes: Span<UInt8>) {
    var decoder = UTF8Decoder()
    var start = 0
    var isEnded = false
    for index in bytes.indices where !isEnded {
      let byte = bytes[index]
      if decoder.isInsideCharacter, !byte.isUTF8Continuation { isDamaged = true }
      if !decoder.isInsideCharacter || !byte.isUTF8Continuation { start = index }
      guard let scalar = decoder.next(byte) else { continue }
      isEnded = byte == UInt8(ascii: "\n")
      if isEnded, index < bytes.count - 1 { isDamaged = true }
      // Another system's line end.
      guard !isEnded, byte != UInt8(ascii: "\r") else { continue }
      // What stands for an undecodable byte may have been entered as such: its own first byte is 0xEF.
      let isCharacter = scalar != UTF8Decoder.replacement || (bytes[start] == 0xEF && index == start + 2)
      append(bytes.extracting(start...index), isText: isCharacter && !byte.isControl)
    }
    if text.isEmpty || decoder.isInsideCharacter { isDamaged = true }
  }

  private mutating func append(_ character: Span<UInt8>, isText: Bool) {
    guard isText, text.byteCount + character.count <= 64 else { return isDamaged = true }
    text.append(bytes: character)
  }
}

extension UInt8 {
  fileprivate var isControl: Bool { self < UInt8(ascii: " ") || self == 0x7F }
}
