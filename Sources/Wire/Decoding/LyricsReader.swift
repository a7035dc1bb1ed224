import Base

/// A line of lyrics.
package struct LyricsLine: BitwiseCopyable, Equatable, Sendable {
  /// When it is sung, in milliseconds of the item; nil when that is not known.
  package var milliseconds: UInt32?
  /// Fit for a terminal.
  package var text: FixedText<256>

  package init(milliseconds: UInt32?, text: FixedText<256>) {
    self.milliseconds = milliseconds
    self.text = text
  }
}

/// Reads lines of lyrics from the memory shared with a decoder's process: an instant of four bytes, ``untimed`` when
/// there is none, a length of two, and the text. Whatever is there, what is read is bounded and can be printed.
package struct LyricsReader: BitwiseCopyable {
  /// In place of milliseconds.
  package static var untimed: UInt32 { .max }
  /// Bytes before a line's text.
  package static var headerByteCount: Int { 6 }
  /// The longest text of a line in bytes: a longer one is cut into several.
  package static var longestTextByteCount: Int { 240 }

  private let byteCount: Int
  private var offset = 0

  /// - Parameter byteCount: of the lines; what lies after them is not read.
  package init(byteCount: Int) { self.byteCount = byteCount }

  /// The next line; nil at the end, or at what is not a line.
  package mutating func next(in memory: UnsafeRawBufferPointer) -> LyricsLine? {
    let end = min(byteCount, memory.count)
    guard offset + Self.headerByteCount <= end else { return nil }
    let instant = unsafe UInt32(littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    let length = unsafe Int(UInt16(littleEndian: memory.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)))
    let start = offset + Self.headerByteCount
    guard length <= Self.longestTextByteCount, start + length <= end else { return nil }
    offset = start + length
    var text = FixedText<256>()
    for index in start..<start + length { text.append(byte: unsafe memory[index]) }
    return LyricsLine(milliseconds: instant == Self.untimed ? nil : instant, text: text.printable)
  }
}
