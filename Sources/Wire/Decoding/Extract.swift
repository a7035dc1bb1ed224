import Base

/// What a decoder's process that only probes takes out of a file, besides its properties.
package enum Extract: UInt8, BitwiseCopyable, Equatable, Sendable {
  /// Lyrics in a media file.
  case lyrics
  /// Lyrics in a text file, such as `.lrc`.
  case lyricsText
  /// The picture of a media file.
  case artwork
}

/// What was found. A hostile file may control it, and what is in the memory it speaks of: see ``ExtractMemory``.
package enum Extracted: BitwiseCopyable, Equatable, Sendable {
  case nothing
  /// Lines of ``LyricsReader`` in so many bytes; perhaps there are more than fit.
  case lyrics(byteCount: UInt32, isCut: Bool)
  /// Rows of red, green and blue without gaps, a byte each; 1…``Values/Artwork/longestSide`` pixels on each side.
  case picture(width: UInt16, height: UInt16)

  private enum Kind: UInt8 {
    case nothing
    case lyrics
    case picture
  }

  static var maximumByteCount: Int { 1 + 4 + 1 }

  func encode(into writer: inout WireWriter) {
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

  init(_ reader: inout WireReader) throws(MalformedMessage) {
    let side = UInt16(Artwork.longestSide)
    switch Kind(rawValue: try reader.number()) {
    case .nothing: self = .nothing
    case .lyrics:
      let byteCount = try reader.number(in: 0...UInt32(ExtractMemory.byteCount))
      self = .lyrics(byteCount: byteCount, isCut: try reader.flag())
    case .picture: self = .picture(width: try reader.number(in: 1...side), height: try reader.number(in: 1...side))
    case nil: throw MalformedMessage()
    }
  }
}

/// The memory in which a decoder's process that only probes hands over what is too large for a message. The process may
/// change it at any time.
package enum ExtractMemory {
  /// That of the largest picture, 120,000 bytes. Lyrics are shorter: those of an opera are about 60 kB.
  package static var byteCount: Int { Artwork.largestByteCount }
}
