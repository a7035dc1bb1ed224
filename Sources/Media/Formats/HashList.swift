import Base

/// The list of the hashes of a take's fragments. It grows beside the open take, in the same file as the ledger; a
/// finished take carries it before its ledger, in a box or chunk that every program skips.
package struct HashList<File: MediaFile & ~Copyable>: ~Copyable {
  /// The file with the ledger; nil if there is none.
  package var source: File?
  /// The number of entries that go into the take.
  package var entryCount = 0

  /// - Parameter source: nil if there is none.
  package init(source: consuming File?) { self.source = source }

  /// The size in the take; 0 if it gets no list.
  package func byteCount(in container: AudioContainer?) -> Int {
    entryCount == 0 ? 0 : headByteCount(in: container) + entryCount * HashListCoding.entryByteCount + footByteCount
  }

  private func headByteCount(in container: AudioContainer?) -> Int { container == .caf ? 12 : 8 }
  private var footByteCount: Int { HashListCoding.footByteCount }

  /// Copies the piece that begins `offset` bytes after the start of the list to the start of `room`.
  /// - Parameters:
  ///   - offset: less than ``byteCount(in:)``.
  ///   - room: at least 16 bytes.
  /// - Returns: the size of the piece in bytes.
  mutating func copyPiece(
    at offset: Int, in container: AudioContainer?, into room: inout MutableRawSpan
  ) throws(File.Failure) -> Int {
    let head = headByteCount(in: container)
    let entriesEnd = head + entryCount * HashListCoding.entryByteCount
    if offset >= head, offset < entriesEnd {
      var piece = room._mutatingExtracting(first: min(room.byteCount, entriesEnd - offset))
      return try source?.read(at: HashListCoding.sourceOffset + UInt64(offset - head), into: &piece) ?? 0
    }
    var writer = ByteWriter(&room)
    if offset < head { encodeHead(in: container, into: &writer) } else { encodeFoot(into: &writer) }
    return writer.byteCount
  }

  private func encodeHead(in container: AudioContainer?, into writer: inout ByteWriter) {
    let content = UInt32(byteCount(in: container) - headByteCount(in: container))
    switch container {
    case .aiff:
      writer.code("FLLR")
      writer.big32(content)
    case .caf:
      writer.code("free")
      writer.big64(UInt64(content))
    case .flac:
      writer.big32(FLACHeader.application | content + 4)
      writer.code("fcdr")
    case .wav:
      writer.code("JUNK")
      writer.big32(content.byteSwapped)
    case nil:
      writer.big32(content + 8)
      writer.code("free")
    }
  }

  private func encodeFoot(into writer: inout ByteWriter) {
    writer.code("frag")
    writer.code("hash")
    writer.big64(UInt64(entryCount))
  }
}

/// The layout of a ``HashList``.
package enum HashListCoding {
  package static var entryByteCount: Int { 16 }
  /// The size of what follows the entries: the words `frag` and `hash`, and their number.
  package static var footByteCount: Int { 16 }
  /// The maximum number of entries, in 4 MiB: 36 hours in fragments of half a second. Later fragments have none.
  package static var mostEntries: Int { 262_144 }
  /// The maximum number in a container. A FLAC file has 131,072 bytes before its sound: 1,024 for the header, 65,536 for
  /// the ledger, 63,704 for this list, and the rest for padding. A shorter ledger leaves room for the seek table.
  package static func mostEntries(in container: AudioContainer?) -> Int { container == .flac ? 3_980 : mostEntries }
  /// The offset of the entries in the ledger's file.
  package static var sourceOffset: UInt64 { 32_768 }
  /// The maximum size of a list in a take.
  static var mostByteCount: Int { 12 + mostEntries * entryByteCount + footByteCount }

  /// Bytes between the end of the list and the start of the ledger's text.
  package static func byteCountBeforeText(in container: AudioContainer?) -> Int {
    switch container {
    // `ANNO` and its size.
    case .aiff: 8
    // `info` and its size, the number of items, and `comments` with a zero.
    case .caf: 4 + 8 + 4 + 9
    // The block's head; the vendor; the number of comments; `DATE=` and 20 characters; `COMMENT=`. Lengths have 4 bytes.
    case .flac: 4 + 4 + 11 + 4 + 4 + 25 + 4 + 8
    // `LIST` and its size, `INFO`, `ICMT` and its size.
    case .wav: 8 + 4 + 8
    // `udta`; `meta` with version and flags; `hdlr`, of 33 bytes; `ilst`; the comment; `data` with two numbers.
    case nil: 8 + 12 + 33 + 8 + 8 + 16
    }
  }

  /// The number of entries, from what follows them; nil if that is missing.
  package static func entryCount(foot bytes: Span<UInt8>) -> UInt64? {
    // Safe: any byte can be read as a raw byte.
    let raw = unsafe bytes.bytes
    guard raw.code(at: 0) == "frag", raw.code(at: 4) == "hash" else { return nil }
    return raw.big64(at: 8)
  }
}
