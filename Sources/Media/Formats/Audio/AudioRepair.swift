import Base

/// Corrects the header of an audio file that a power cut left open, to match the file's contents.
package enum AudioRepair {
  /// The outcome of a repair.
  package enum Outcome: Equatable, Sendable {
    /// The header now counts `dataByteCount` bytes of audio.
    case repaired(dataByteCount: UInt64)
    /// The header was correct; nothing was written.
    case alreadyWhole(dataByteCount: UInt64)
    /// There is no frame of audio; nothing was written.
    case empty
    /// The file does not start with a header from fieldcorder; nothing was written.
    case foreign
  }

  /// The scratch bytes that a repair needs: the header before and after.
  package static var scratchByteCount: Int { 2 * AudioFileDescription.headerByteCount }

  /// The most bytes that a file has after its sound.
  private static var mostClosingByteCount: Int { HashListCoding.mostByteCount + LedgerCoding.codedByteCount }

  /// The smallest unit that a disk writes or loses.
  private static var sectorByteCount: UInt64 { 512 }

  /// More than a power cut leaves unconfirmed: two seconds of 192 kHz, 8 channels and 4 bytes are 12,288,000. If more
  /// follows the confirmed audio, the header is wrong.
  private static var unconfirmedByteCount: UInt64 { 16_777_216 }

  /// The header then counts the confirmed bytes, and the bytes after them that are certainly audio; what could be
  /// sectors that were never written is cut off. Safe to repeat after a power cut at any point.
  /// - Parameters:
  ///   - confirmedByteCount: bytes that were certainly flushed; the header may know of more.
  ///   - ledger: the end of the file, as made by ``LedgerCoding``; empty if there is none.
  ///   - hashes: the list before the ledger.
  package static func repair<File: MediaFile & ~Copyable>(
    _ file: inout File, confirmedByteCount: UInt64 = 0, ledger: RawSpan = RawSpan(), _ hashes: inout HashList<File>,
    scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Outcome {
    precondition(scratch.byteCount >= scratchByteCount, "the repair's scratch is too small")
    let headerByteCount = AudioFileDescription.headerByteCount
    guard let layout = try layout(&file, &scratch) else {
      return file.byteCount < headerByteCount ? .empty : .foreign
    }
    guard file.byteCount >= layout.container.dataStart else { return .empty }
    if let whole = try closedByteCount(&file, &scratch, layout) { return .alreadyWhole(dataByteCount: whole) }
    let dataByteCount = try soundByteCount(&file, &scratch, layout, confirmedByteCount: confirmedByteCount)
    guard dataByteCount > 0 else { return .empty }
    let sampleFrames = try flacReach(&file, &scratch, layout, confirmedByteCount: confirmedByteCount)?.sampleFrames
    _ = try file.read(at: 0, into: &scratch)
    if let sampleFrames { FLACInformation.store(sampleFrames: sampleFrames, digest: nil, into: &scratch) }
    if !ledger.isEmpty {
      try AudioClosing.close(&file, layout, dataByteCount: dataByteCount, ledger: ledger, &hashes, scratch: &scratch)
      return .repaired(dataByteCount: dataByteCount)
    }
    var header = scratch._mutatingExtracting(first: headerByteCount)
    layout.store(dataByteCount: dataByteCount, into: &header)
    let isRenewed = try renewHeader(&file, &scratch)
    let isTrimmed = try trim(&file, &scratch, to: dataByteCount, container: layout.container)
    guard isRenewed || isTrimmed else { return .alreadyWhole(dataByteCount: dataByteCount) }
    try file.synchronise()
    return .repaired(dataByteCount: dataByteCount)
  }

  /// Bytes of audio that ``repair(_:confirmedByteCount:ledger:_:scratch:)`` will find. Writes nothing.
  /// - Returns: nil if the file is empty or foreign.
  package static func soundByteCount<File: MediaFile & ~Copyable>(
    in file: inout File, confirmedByteCount: UInt64, scratch: inout MutableRawSpan
  ) throws(File.Failure) -> UInt64? {
    guard let layout = try layout(&file, &scratch) else { return nil }
    return try soundByteCount(&file, &scratch, layout, confirmedByteCount: confirmedByteCount)
  }

  private static func soundByteCount<File: MediaFile & ~Copyable>(
    _ file: inout File, _ scratch: inout MutableRawSpan, _ layout: AudioHeaderLayout, confirmedByteCount: UInt64
  ) throws(File.Failure) -> UInt64 {
    guard file.byteCount >= layout.container.dataStart else { return 0 }
    if layout.container == .flac, counts(layout, scratch).closed == nil {
      let reach = try flacReach(&file, &scratch, layout, confirmedByteCount: confirmedByteCount)
      return (reach?.end ?? layout.container.dataStart) - layout.container.dataStart
    }
    let end = try end(&file, &scratch, layout, confirmedByteCount: confirmedByteCount)
    let present = min(end - layout.container.dataStart, layout.container.maximumDataByteCount)
    return present - present % UInt64(layout.bytesPerFrame)
  }

  /// How far a FLAC file has whole frames; nil for others, for one that is closed, and for one without a frame.
  @_optimize(size)
  private static func flacReach<File: MediaFile & ~Copyable>(
    _ file: inout File, _ scratch: inout MutableRawSpan, _ layout: AudioHeaderLayout, confirmedByteCount: UInt64
  ) throws(File.Failure) -> FLACReach? {
    _ = try self.layout(&file, &scratch)
    guard let format = FLACFrameFormat(header: scratch.bytes), counts(layout, scratch).closed == nil else { return nil }
    let counted = layout.container.dataStart + (counts(layout, scratch).confirmed ?? 0)
    let end = try end(&file, &scratch, layout, confirmedByteCount: confirmedByteCount)
    return try FLACScan.reach(
      &file, &scratch, format, confirmed: min(max(counted, confirmedByteCount), end), end: end)
  }

  /// Whether the file is foreign: long enough for a header, but without one of ours.
  package static func lacksHeader<File: MediaFile & ~Copyable>(
    _ file: inout File, scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Bool {
    guard file.byteCount >= AudioFileDescription.headerByteCount else { return false }
    return try layout(&file, &scratch) == nil
  }

  /// Replaces the first ``AudioFileDescription/headerByteCount`` bytes of a file, lost by a card, with a new header.
  /// Everything after them counts as audio, whatever it is. Repair the file afterwards.
  package static func restoreHeader<File: MediaFile & ~Copyable>(
    _ audio: AudioFileDescription, of file: inout File, scratch: inout MutableRawSpan
  ) throws(File.Failure) {
    let present = file.byteCount - min(file.byteCount, audio.container.dataStart)
    let dataByteCount = min(present, audio.container.maximumDataByteCount)
    var writer = ByteWriter(&scratch)
    audio.encodeHeader(
      dataByteCount: dataByteCount - dataByteCount % UInt64(audio.format.bytesPerFrame), isOpen: false, into: &writer)
    try file.write(writer.bytes, at: 0)
    try file.synchronise()
  }

  /// Whether the file, as read back, is complete with `dataByteCount` bytes of audio, followed by `ledgerByteCount`
  /// bytes of hashes and ledger. Writes nothing.
  package static func isWhole<File: MediaFile & ~Copyable>(
    _ file: inout File, dataByteCount: UInt64, ledgerByteCount: Int = 0, scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Bool {
    guard let layout = try layout(&file, &scratch), dataByteCount <= layout.container.maximumDataByteCount else {
      return false
    }
    let headerByteCount = AudioFileDescription.headerByteCount
    let padding = layout.container.paddingByteCount(dataByteCount: dataByteCount)
    let after = padding + (layout.container == .flac ? 0 : ledgerByteCount)
    guard file.byteCount == layout.container.dataStart + dataByteCount + UInt64(after) else { return false }
    for offset in 0..<headerByteCount {
      let byte = scratch.bytes.byte(at: offset)
      scratch.storeBytes(of: byte, toByteOffset: headerByteCount + offset, as: UInt8.self)
    }
    var header = scratch._mutatingExtracting(headerByteCount..<2 * headerByteCount)
    let closing = ledgerByteCount > 0 ? ledgerByteCount : nil
    layout.store(dataByteCount: dataByteCount, closingByteCount: closing, into: &header)
    return scratch.bytes.isSame(0..<headerByteCount, as: headerByteCount)
  }

  /// Bytes of audio in a file that is complete with its ledger; nil for any other file.
  private static func closedByteCount<File: MediaFile & ~Copyable>(
    _ file: inout File, _ scratch: inout MutableRawSpan, _ layout: AudioHeaderLayout
  ) throws(File.Failure) -> UInt64? {
    guard let dataByteCount = counts(layout, scratch).closed, dataByteCount <= file.byteCount else { return nil }
    let padding = layout.container.paddingByteCount(dataByteCount: dataByteCount)
    let dataEnd = layout.container.dataStart + UInt64(padding) + dataByteCount
    let ledgerByteCount: Int
    if layout.container == .flac {
      ledgerByteCount = Int(scratch.bytes.big32(at: FLACHeader.marksOffset + 20) ?? 0)
      guard ledgerByteCount > 0 else { return nil }
    } else {
      guard file.byteCount > dataEnd, file.byteCount - dataEnd <= mostClosingByteCount else { return nil }
      ledgerByteCount = Int(file.byteCount - dataEnd)
    }
    let isWhole = try isWhole(
      &file, dataByteCount: dataByteCount, ledgerByteCount: ledgerByteCount, scratch: &scratch)
    return isWhole ? dataByteCount : nil
  }

  /// Reads the header to the start of `scratch`. Nil if fieldcorder did not write it.
  private static func layout<File: MediaFile & ~Copyable>(
    _ file: inout File, _ scratch: inout MutableRawSpan
  ) throws(File.Failure) -> AudioHeaderLayout? {
    var header = scratch._mutatingExtracting(first: AudioFileDescription.headerByteCount)
    guard try file.read(at: 0, into: &header) == AudioFileDescription.headerByteCount else { return nil }
    return AudioHeaderLayout(header.bytes)
  }

  /// Where audio ends in the file, whose header is at the start of `scratch`. If the file does not say how much was
  /// confirmed, everything is kept.
  private static func end<File: MediaFile & ~Copyable>(
    _ file: inout File, _ scratch: inout MutableRawSpan, _ layout: AudioHeaderLayout, confirmedByteCount: UInt64
  ) throws(File.Failure) -> UInt64 {
    let headerByteCount = layout.container.dataStart
    let counts = counts(layout, scratch)
    if let closed = counts.closed, closed <= file.byteCount - headerByteCount { return headerByteCount + closed }
    guard let counted = counts.confirmed else { return file.byteCount }
    let isCounted = counted < file.byteCount - headerByteCount
    let confirmed = max(isCounted ? headerByteCount + counted : file.byteCount, min(confirmedByteCount, file.byteCount))
    guard file.byteCount - confirmed <= unconfirmedByteCount else { return file.byteCount }
    return try writtenEnd(&file, &scratch, from: confirmed)
  }

  private static func counts(
    _ layout: AudioHeaderLayout, _ scratch: borrowing MutableRawSpan
  ) -> (closed: UInt64?, confirmed: UInt64?) {
    let header = scratch.bytes.extracting(first: AudioFileDescription.headerByteCount)
    return (layout.closedByteCount(in: header), layout.confirmedByteCount(in: header))
  }

  /// How far the bytes from `start` were certainly written: up to the first sector of zeros.
  private static func writtenEnd<File: MediaFile & ~Copyable>(
    _ file: inout File, _ scratch: inout MutableRawSpan, from start: UInt64
  ) throws(File.Failure) -> UInt64 {
    var end = start
    while end < file.byteCount {
      let sectorEnd = min((end / sectorByteCount + 1) * sectorByteCount, file.byteCount)
      var sector = scratch._mutatingExtracting(first: Int(sectorEnd - end))
      guard try file.read(at: end, into: &sector) > 0, !sector.bytes.isZero else { break }
      end = sectorEnd
    }
    return end
  }

  /// Writes the header in the first half of `scratch` if the file's header differs.
  private static func renewHeader<File: MediaFile & ~Copyable>(
    _ file: inout File, _ scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Bool {
    let byteCount = AudioFileDescription.headerByteCount
    var present = scratch._mutatingExtracting(byteCount..<2 * byteCount)
    _ = try file.read(at: 0, into: &present)
    guard !scratch.bytes.isSame(0..<byteCount, as: byteCount) else { return false }
    try file.write(scratch.bytes.extracting(first: byteCount), at: 0)
    return true
  }

  /// Cuts off an incomplete frame and adds padding.
  /// - Returns: whether that was needed.
  private static func trim<File: MediaFile & ~Copyable>(
    _ file: inout File, _ scratch: inout MutableRawSpan, to dataByteCount: UInt64, container: AudioContainer
  ) throws(File.Failure) -> Bool {
    let padding = container.paddingByteCount(dataByteCount: dataByteCount)
    let dataEnd = container.dataStart + dataByteCount
    guard file.byteCount != dataEnd + UInt64(padding) else { return false }
    if file.byteCount > dataEnd { try file.truncate(to: dataEnd) }
    var zeros = ByteWriter(&scratch)
    zeros.zeros(padding)
    if padding > 0 { try file.write(zeros.bytes, at: dataEnd) }
    return true
  }
}

extension RawSpan {
  fileprivate var isZero: Bool {
    for offset in 0..<byteCount where byte(at: offset) != 0 { return false }
    return true
  }
}
