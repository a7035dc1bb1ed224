import Base

/// The list of the hashes of a take's fragments. It grows in the file beside the open take in which the ledger grows; a
/// finished take carries it in front of its ledger, in a box or chunk that every program passes over.
package struct HashList<File: MediaFile & ~Copyable>: ~Copyable {
  /// The file with the ledger; nil if there is none.
  package var source: File?
  /// How many entries go into the take.
  package var entryCount = 0

  /// - Parameter source: nil for none.
  package init(source: consuming File?) { self.source = source }

  /// Bytes in the take; 0 if it gets no list.
  package func byteCount(in container: AudioContainer?) -> Int {
    entryCount == 0 ? 0 : headByteCount(in: container) + entryCount * HashListCoding.entryByteCount + footByteCount
  }

  private func headByteCount(in container: AudioContainer?) -> Int { container == .caf ? 12 : 8 }
  private var footByteCount: Int { HashListCoding.footByteCount }

  /// Copies the piece that begins `offset` bytes behind the start to the start of `room`.
  /// - Parameters:
  ///   - offset: less than ``byteCount(in:)``.
  ///   - room: of 16 bytes at least.
  /// - Returns: how many bytes it has.
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

/// Where a ``HashList`` has what.
package enum HashListCoding {
  /// Bytes of an entry.
  package static var entryByteCount: Int { 16 }
  /// Of what follows the entries: the words `frag` and `hash`, and how many there are.
  package static var footByteCount: Int { 16 }
  /// The most entries, in 4 MiB: 36 hours in fragments of half a second. What follows has none.
  package static var mostEntries: Int { 262_144 }
  /// In the file of the ledger.
  package static var sourceOffset: UInt64 { 32_768 }
  /// The most bytes of a list in a take.
  static var mostByteCount: Int { 12 + mostEntries * entryByteCount + footByteCount }

  /// Bytes between the end of the list and the first byte of the ledger's text.
  package static func byteCountBeforeText(in container: AudioContainer?) -> Int {
    switch container {
    // `ANNO` and its size.
    case .aiff: 8
    // `info` and its size, the number of items, and `comments` with a zero.
    case .caf: 4 + 8 + 4 + 9
    // `LIST` and its size, `INFO`, `ICMT` and its size.
    case .wav: 8 + 4 + 8
    // `udta`; `meta` with version and flags; `hdlr`, of 33 bytes; `ilst`; the comment; `data` with two numbers.
    case nil: 8 + 12 + 33 + 8 + 8 + 16
    }
  }

  /// How many entries a list has, by what follows them; nil if that is not there.
  package static func entryCount(foot bytes: Span<UInt8>) -> UInt64? {
    // Safe: bytes are raw bytes.
    let raw = unsafe bytes.bytes
    guard raw.code(at: 0) == "frag", raw.code(at: 4) == "hash" else { return nil }
    return raw.big64(at: 8)
  }
}
