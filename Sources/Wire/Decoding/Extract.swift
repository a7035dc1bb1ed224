import Base

/// What a probing decoder process extracts from a file, besides its properties.
package enum Extract: UInt8, BitwiseCopyable, Equatable, Sendable {
  /// The lyrics in a media file.
  case lyrics
  /// The lyrics in a text file, such as `.lrc`.
  case lyricsText
  /// The cover art in a media file.
  case artwork
}

/// What was found. A hostile file may control it and the memory it refers to: see ``ExtractMemory``.
package enum Extracted: WireCoded, BitwiseCopyable, Equatable, Sendable {
  case nothing
  /// Lines for a ``LyricsReader`` in `byteCount` bytes; `isCut` if there may be more than fit.
  case lyrics(byteCount: UInt32, isCut: Bool)
  /// Rows of RGB pixels without padding, one byte a component; 1…``Values/Artwork/longestSide`` pixels on each side.
  case picture(width: UInt16, height: UInt16)

  private enum Kind: UInt8 {
    case nothing
    case lyrics
    case picture
  }

  static var maximumByteCount: Int { 1 + 4 + 1 }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .nothing: writer.number(Kind.nothing.rawValue)
    case .lyrics(let byteCount, let isCut):
      writer.number(Kind.lyrics.rawValue)
      writer.number(byteCount)
      writer.flag(isCut)
    case .picture(let width, let height):
      writer.number(Kind.picture.rawValue)
      writer.number(width)
      writer.number(height)
    }
  }

  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    let side = UInt16(Artwork.longestSide)
    switch try reader.choice() as Kind {
    case .nothing: self = .nothing
    case .lyrics:
      let byteCount = try reader.number(in: 0...UInt32(ExtractMemory.byteCount))
      self = .lyrics(byteCount: byteCount, isCut: try reader.flag())
    case .picture: self = .picture(width: try reader.number(in: 1...side), height: try reader.number(in: 1...side))
    }
  }
}

/// The memory in which a probing decoder process returns what is too large for a message. The process may change it at
/// any time.
package enum ExtractMemory {
  /// Room for the largest picture, 120,000 bytes. Lyrics are shorter: those of an opera are about 60 kB.
  package static var byteCount: Int { Artwork.largestByteCount }
}

package struct LyricsLine: BitwiseCopyable, Equatable, Sendable {
  /// When the line is sung, in milliseconds of the item; nil if that is not known.
  package var milliseconds: UInt32?
  /// Printable on a terminal.
  package var text: FixedText<256>

  package init(milliseconds: UInt32?, text: FixedText<256>) {
    self.milliseconds = milliseconds
    self.text = text
  }
}

/// Reads lines of lyrics from the memory shared with a decoder process: each a time of four bytes, ``untimed`` if there
/// is none, a length of two, and the text. Whatever the memory holds, the result is bounded and printable.
package struct LyricsReader: BitwiseCopyable {
  /// Stands for missing milliseconds.
  package static var untimed: UInt32 { .max }
  /// Size of the header before a line's text.
  package static var headerByteCount: Int { 6 }
  /// The longest text of a line in bytes: a longer line is split.
  package static var longestTextByteCount: Int { 240 }

  private let byteCount: Int
  private var offset = 0

  /// - Parameter byteCount: size of the lines; bytes after them are not read.
  package init(byteCount: Int) { self.byteCount = byteCount }

  /// The next line; nil at the end, or at bytes that are not a line.
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
