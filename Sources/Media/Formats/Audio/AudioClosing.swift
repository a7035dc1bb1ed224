import Base

/// Ends an audio file by writing its take's ledger after the sound; safe at every moment.
///
/// First the header says that the sound is all there is, and how much; once that is safe the ledger follows, and once
/// that is safe the header counts it. So no part of the ledger is ever taken for sound.
package enum AudioClosing {
  /// - Parameters:
  ///   - description: the file's description.
  ///   - ending: why the file ends.
  ///   - dataByteCount: the size of its sound, all flushed. Anything after it is cut off.
  ///   - ledger: as made by ``LedgerCoding``; empty if there is none.
  ///   - hashes: the list between the sound and the ledger.
  ///   - scratch: at least ``AudioRepair/scratchByteCount`` bytes.
  package static func close<File: MediaFile & ~Copyable>(
    _ file: inout File, _ description: AudioFileDescription, ending: TakeEnding, dataByteCount: UInt64,
    ledger: RawSpan, _ hashes: inout HashList<File>, scratch: inout MutableRawSpan
  ) throws(File.Failure) {
    var writer = ByteWriter(&scratch)
    description.encodeHeader(dataByteCount: dataByteCount, ending: ending, into: &writer)
    if description.container == .flac {
      let headerByteCount = AudioFileDescription.headerByteCount
      var present = scratch._mutatingExtracting(headerByteCount..<2 * headerByteCount)
      let byteCount = try file.read(at: 0, into: &present)
      if byteCount == headerByteCount { FLACInformation.copy(from: headerByteCount, in: &scratch) }
    }
    guard let layout = AudioHeaderLayout(scratch.bytes.extracting(first: AudioFileDescription.headerByteCount)) else {
      preconditionFailure("a header that we cannot read")
    }
    try close(&file, layout, dataByteCount: dataByteCount, ledger: ledger, &hashes, scratch: &scratch)
  }

  /// - Parameter scratch: begins with the file's header.
  static func close<File: MediaFile & ~Copyable>(
    _ file: inout File, _ layout: AudioHeaderLayout, dataByteCount: UInt64, ledger: RawSpan,
    _ hashes: inout HashList<File>, scratch: inout MutableRawSpan
  ) throws(File.Failure) {
    let dataEnd = layout.container.dataStart + dataByteCount
    let padding = layout.container.paddingByteCount(dataByteCount: dataByteCount)
    if file.byteCount > dataEnd { try file.truncate(to: dataEnd) }
    guard !ledger.isEmpty else {
      let zeros = InlineArray<1, UInt8>(repeating: 0)
      if padding > 0 { try unsafe file.write(zeros.span.bytes, at: dataEnd) }
      return try writeHeader(&file, layout, dataByteCount, closingByteCount: nil, &scratch)
    }
    try writeHeader(&file, layout, dataByteCount, closingByteCount: 0, &scratch)
    let isInFront = layout.container == .flac
    let hashesStart = isInFront ? UInt64(AudioFileDescription.headerByteCount) : dataEnd + UInt64(padding)
    let hashesByteCount = hashes.byteCount(in: layout.container)
    try write(&hashes, hashesByteCount, layout.container, to: &file, at: hashesStart, &scratch)
    try file.write(ledger, at: hashesStart + UInt64(hashesByteCount))
    if isInFront {
      let end = hashesStart + UInt64(hashesByteCount + ledger.byteCount)
      try FLACSeekTable.write(to: &file, at: end, dataEnd: dataEnd, scratch: &scratch)
    }
    try file.synchronise()
    var header = scratch._mutatingExtracting(first: AudioFileDescription.headerByteCount)
    // Safe: any bytes are text.
    let text = unsafe ledger._unsafeView(as: UInt8.self)
    _ = SoundFacts.storeTimecode(text, in: &header)
    SoundFacts.storeLoudness(text, in: &header)
    try writeHeader(&file, layout, dataByteCount, closingByteCount: hashesByteCount + ledger.byteCount, &scratch)
  }

  /// Leaves the header at the start of `scratch` in place.
  private static func write<File: MediaFile & ~Copyable>(
    _ hashes: inout HashList<File>, _ byteCount: Int, _ container: AudioContainer, to file: inout File,
    at start: UInt64, _ scratch: inout MutableRawSpan
  ) throws(File.Failure) {
    var offset = 0
    while offset < byteCount {
      var room = scratch._mutatingExtracting(AudioFileDescription.headerByteCount..<scratch.byteCount)
      let pieceByteCount = try hashes.copyPiece(at: offset, in: container, into: &room)
      guard pieceByteCount > 0 else { return }
      try file.write(room.bytes.extracting(first: pieceByteCount), at: start + UInt64(offset))
      offset += pieceByteCount
    }
  }

  private static func writeHeader<File: MediaFile & ~Copyable>(
    _ file: inout File, _ layout: AudioHeaderLayout, _ dataByteCount: UInt64, closingByteCount: Int?,
    _ scratch: inout MutableRawSpan
  ) throws(File.Failure) {
    var header = scratch._mutatingExtracting(first: AudioFileDescription.headerByteCount)
    layout.store(dataByteCount: dataByteCount, closingByteCount: closingByteCount, into: &header)
    // The ledger's list has the same facts, and becomes the first.
    if closingByteCount ?? 0 > 0 { layout.hideInformation(in: &header) }
    try file.write(header.bytes, at: 0)
    try file.synchronise()
  }
}
