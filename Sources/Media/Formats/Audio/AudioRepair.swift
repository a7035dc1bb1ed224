import Values

/// Updates the header of an audio file that a power cut left open to what the file holds.
public enum AudioRepair {
  /// The outcome of a repair.
  public enum Outcome: Equatable, Sendable {
    /// The header now counts `dataByteCount` bytes of audio.
    case repaired(dataByteCount: UInt64)
    /// The header was right; nothing was written.
    case alreadyWhole(dataByteCount: UInt64)
    /// There is no frame of audio; nothing was written.
    case empty
    /// The file does not start with a header of fieldcorder; nothing was written.
    case foreign
  }

  /// Bytes of scratch that a repair needs: the header before and after.
  public static var scratchByteCount: Int { 2 * AudioFileDescription.headerByteCount }

  /// The bytes of whole frames in a file of `fileByteCount` bytes.
  public static func dataByteCount(fileByteCount: UInt64, bytesPerFrame: Int, container: AudioContainer) -> UInt64 {
    let headerByteCount = UInt64(AudioFileDescription.headerByteCount)
    guard fileByteCount > headerByteCount else { return 0 }
    let present = min(fileByteCount - headerByteCount, container.maximumDataByteCount)
    return present - present % UInt64(bytesPerFrame)
  }

  /// At most two reads and two writes; safe to repeat after a cut at any point.
  public static func repair<File: MediaFile & ~Copyable>(
    _ file: inout File, scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Outcome {
    precondition(scratch.byteCount >= scratchByteCount, "the repair's scratch is too small")
    let headerByteCount = AudioFileDescription.headerByteCount
    guard try file.read(at: 0, into: &scratch) >= headerByteCount else { return .empty }
    var header = scratch._mutatingExtracting(first: headerByteCount)
    guard let layout = AudioHeaderLayout(header.bytes) else { return .foreign }
    let dataByteCount = dataByteCount(
      fileByteCount: file.byteCount, bytesPerFrame: layout.bytesPerFrame, container: layout.container)
    guard dataByteCount > 0 else { return .empty }
    layout.store(dataByteCount: dataByteCount, isOpen: false, into: &header)
    let isRenewed = try renewHeader(&file, &scratch)
    let isTrimmed = try trim(&file, &scratch, to: dataByteCount, container: layout.container)
    guard isRenewed || isTrimmed else { return .alreadyWhole(dataByteCount: dataByteCount) }
    try file.synchronise()
    return .repaired(dataByteCount: dataByteCount)
  }

  /// Writes the header in the first half of `scratch` if the file has another.
  private static func renewHeader<File: MediaFile & ~Copyable>(
    _ file: inout File, _ scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Bool {
    let byteCount = AudioFileDescription.headerByteCount
    var present = scratch._mutatingExtracting(byteCount..<2 * byteCount)
    _ = try file.read(at: 0, into: &present)
    guard !isEqual(scratch.bytes, byteCount: byteCount) else { return false }
    try file.write(scratch.bytes.extracting(first: byteCount), at: 0)
    return true
  }

  /// Whether the first `byteCount` bytes are the same as those that follow.
  private static func isEqual(_ bytes: RawSpan, byteCount: Int) -> Bool {
    var offset = 0
    while offset < byteCount, bytes.big32(at: offset) == bytes.big32(at: byteCount + offset) { offset += 4 }
    return offset >= byteCount
  }

  /// Truncates an incomplete frame and adds padding.
  /// - Returns: whether that was needed.
  private static func trim<File: MediaFile & ~Copyable>(
    _ file: inout File, _ scratch: inout MutableRawSpan, to dataByteCount: UInt64, container: AudioContainer
  ) throws(File.Failure) -> Bool {
    let padding = container.paddingByteCount(dataByteCount: dataByteCount)
    let dataEnd = UInt64(AudioFileDescription.headerByteCount) + dataByteCount
    guard file.byteCount != dataEnd + UInt64(padding) else { return false }
    if file.byteCount > dataEnd { try file.truncate(to: dataEnd) }
    var zeros = ByteWriter(&scratch)
    zeros.zeros(padding)
    if padding > 0 { try file.write(zeros.bytes, at: dataEnd) }
    return true
  }
}
