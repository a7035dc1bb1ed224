/// The offsets of the fields in an audio header that change as the file grows.
///
/// They are found by parsing the header, so that repair after a power cut uses the same code that updates headers.
struct AudioHeaderLayout {
  let container: AudioContainer
  private(set) var bytesPerFrame: Int
  /// Where audio starts.
  private(set) var dataStart: Int
  /// The data chunk's size field.
  private let dataSizeOffset: Int
  /// The field that counts frames: in `COMM` for AIFF, in `fact` for WAV.
  private let frameCountOffset: Int?
  /// In the filler that readers skip: where a file followed by a ledger says how much audio it has.
  private let markOffset: Int?
  /// The type of a WAV's information list.
  private let informationOffset: Int?

  /// - Parameter header: the start of the file. Nil if fieldcorder did not write it.
  @export(interface)
  init?(_ header: RawSpan) {
    if FLACInformation.format(in: header) != nil {
      (container, bytesPerFrame, dataStart) = (.flac, 1, AudioFileDescription.headerByteCount)
      (dataSizeOffset, frameCountOffset, markOffset) = (0, nil, FLACHeader.marksOffset)
      informationOffset = nil
      return
    }
    guard let chunks = AudioChunks(header) else { return nil }
    container = chunks.container
    guard let data = chunks.first(container.dataChunk), let format = chunks.first(container.formatChunk)
    else { return nil }
    dataSizeOffset = data.sizeOffset
    dataStart = data.contentStart + container.dataPreambleByteCount
    let filler = chunks.last(before: container.dataChunk)
    let isRoomy = filler?.type == container.fillerChunk && filler?.hasRoomForMarks == true
    markOffset = isRoomy ? filler?.contentStart : nil
    informationOffset = container == .wav ? chunks.information.map { $0.sizeOffset - 4 } : nil
    guard format.byteCount >= container.formatByteCount else { return nil }
    switch container {
    case .aiff:
      guard let channels = header.big16(at: format.contentStart), let bits = header.big16(at: format.contentStart + 6)
      else { return nil }
      frameCountOffset = format.contentStart + 2
      bytesPerFrame = Int(channels) * ((Int(bits) + 7) / 8)
    case .caf:
      guard let bytesPerPacket = header.big32(at: format.contentStart + 16) else { return nil }
      frameCountOffset = nil
      bytesPerFrame = Int(bytesPerPacket)
    case .flac: return nil
    case .wav:
      guard let blockAlign = header.big16(at: format.contentStart + 12)?.byteSwapped else { return nil }
      let sizes = chunks.first
      guard sizes?.type == "JUNK" || sizes?.type == "ds64", sizes?.byteCount == Self.ds64ByteCount else { return nil }
      let frameCount = chunks.first("fact")
      guard frameCount == nil || frameCount?.byteCount == 4 else { return nil }
      frameCountOffset = frameCount?.contentStart
      bytesPerFrame = Int(blockAlign)
    }
    guard bytesPerFrame >= Self.leastBytesPerFrame, dataStart == header.byteCount else { return nil }
  }

  /// Bytes of audio that the header says were flushed, in whole frames; nil if it does not say.
  ///
  /// A header torn by a power cut has an old and a new count, both confirmed: the larger one is used.
  func confirmedByteCount(in header: RawSpan) -> UInt64? {
    let preamble = UInt64(container.dataPreambleByteCount)
    let size: UInt64?
    var formByteCount: UInt64?
    switch container {
    case .aiff:
      size = header.big32(at: dataSizeOffset).map { max(UInt64($0), preamble) - preamble }
      formByteCount = header.big32(at: 4).map { UInt64($0) }
    case .caf:
      let dataSize = header.big64(at: dataSizeOffset) ?? .max
      size = dataSize > UInt64(Int64.max) ? nil : max(dataSize, preamble) - preamble
    case .flac: return header.big64(at: FLACHeader.marksOffset)
    case .wav where header.code(at: 0) == "RF64":
      size = header.big64(at: Self.ds64Start + 16)?.byteSwapped
      formByteCount = header.big64(at: Self.ds64Start + 8)?.byteSwapped
    case .wav:
      size = header.big32(at: dataSizeOffset).map { UInt64($0.byteSwapped) }
      formByteCount = header.big32(at: 4).map { UInt64($0.byteSwapped) }
    }
    guard let size else { return nil }
    let headByteCount = UInt64(dataStart - 8)
    let counted = max(size, max(formByteCount ?? 0, headByteCount) - headByteCount)
    return counted - counted % UInt64(bytesPerFrame)
  }

  /// Bytes of audio in a closed file: anything after them is a ledger, or was meant to become one. Nil if the header
  /// does not mark the file as closed.
  func closedByteCount(in header: RawSpan) -> UInt64? {
    guard let offset = markOffset, header.code(at: offset + 24) == Self.closedMark else { return nil }
    return header.big64(at: offset + 12)
  }

  /// One channel of 16 bits: with one byte per frame, the padding of a file would count as sound.
  private static var leastBytesPerFrame: Int { 2 }

  private static var closedMark: FourCharacterCode { "clos" }

  /// Makes the header count `dataByteCount` bytes of audio.
  /// - Parameter closingByteCount: the size of the ledger after them, 0 if it is still to be written; nil for a file
  ///   without a ledger.
  func store(
    dataByteCount: UInt64, closingByteCount: Int? = nil, into header: inout MutableRawSpan
  ) {
    precondition(dataByteCount <= container.maximumDataByteCount, "more audio than a file of this kind holds")
    let padding = UInt64(container.paddingByteCount(dataByteCount: dataByteCount))
    let formByteCount = UInt64(dataStart - 8) + dataByteCount + padding + UInt64(closingByteCount ?? 0)
    storeMarks(dataByteCount, closingByteCount: closingByteCount, into: &header)
    if closingByteCount ?? 0 == 0, let informationOffset { header.storeCode("LIST", at: informationOffset) }
    switch container {
    case .aiff: storeAIFF(dataByteCount, formByteCount: formByteCount, into: &header)
    case .caf: storeCAF(dataByteCount, into: &header)
    case .flac:
      header.storeBig64(dataByteCount, at: FLACHeader.marksOffset)
      FLACHeader.store(isRoomShown: closingByteCount ?? 0 > 0, into: &header)
    case .wav where formByteCount > UInt64(UInt32.max): storeRF64(dataByteCount, formByteCount, into: &header)
    case .wav: storeRIFF(dataByteCount, formByteCount, into: &header)
    }
  }

  /// Makes the information list of a WAV a chunk that readers skip.
  func hideInformation(in header: inout MutableRawSpan) {
    if let informationOffset { header.storeCode("JUNK", at: informationOffset) }
  }

  private func frameCount(_ dataByteCount: UInt64) -> UInt64 { dataByteCount / UInt64(bytesPerFrame) }

  private func storeAIFF(_ dataByteCount: UInt64, formByteCount: UInt64, into header: inout MutableRawSpan) {
    header.storeBig32(UInt32(formByteCount), at: 4)
    header.storeBig32(UInt32(dataByteCount) + UInt32(container.dataPreambleByteCount), at: dataSizeOffset)
    if let frameCountOffset { header.storeBig32(UInt32(frameCount(dataByteCount)), at: frameCountOffset) }
  }

  /// An open file could say -1 instead (Core Audio Format, "Audio Data Chunk"), but many programs reject that.
  private func storeCAF(_ dataByteCount: UInt64, into header: inout MutableRawSpan) {
    header.storeBig64(dataByteCount + UInt64(container.dataPreambleByteCount), at: dataSizeOffset)
  }

  /// The mark of a closed file follows what it marks: a torn header has either no mark or all of it.
  private func storeMarks(
    _ dataByteCount: UInt64, closingByteCount: Int?, into header: inout MutableRawSpan
  ) {
    guard let markOffset else { return }
    if let closingByteCount {
      header.storeBig64(dataByteCount, at: markOffset + 12)
      header.storeBig32(UInt32(closingByteCount), at: markOffset + 20)
    }
    header.storeBig32(closingByteCount == nil ? 0 : Self.closedMark.bigEndianValue, at: markOffset + 24)
  }

  /// Directly after `RIFF`, size and `WAVE`, as EBU Tech 3306 requires.
  private static var ds64Start: Int { 12 }
  /// Three 64-bit sizes, and the length of a table that is left empty.
  static var ds64ByteCount: Int { 28 }

  private func storeRIFF(_ dataByteCount: UInt64, _ formByteCount: UInt64, into header: inout MutableRawSpan) {
    header.storeCode("RIFF", at: 0)
    header.storeCode("JUNK", at: Self.ds64Start)
    header.storeLittle32(UInt32(formByteCount), at: 4)
    header.storeLittle32(UInt32(dataByteCount), at: dataSizeOffset)
    if let frameCountOffset { header.storeLittle32(UInt32(frameCount(dataByteCount)), at: frameCountOffset) }
  }

  /// EBU Tech 3306, 3 and 4: `RIFF` becomes `RF64`, the first `JUNK` becomes `ds64` with the 64-bit sizes, and the
  /// 32-bit sizes become -1.
  private func storeRF64(_ dataByteCount: UInt64, _ formByteCount: UInt64, into header: inout MutableRawSpan) {
    header.storeCode("RF64", at: 0)
    header.storeLittle32(.max, at: 4)
    header.storeCode("ds64", at: Self.ds64Start)
    header.storeLittle64(formByteCount, at: Self.ds64Start + 8)
    header.storeLittle64(dataByteCount, at: Self.ds64Start + 16)
    header.storeLittle64(frameCount(dataByteCount), at: Self.ds64Start + 24)
    header.storeLittle32(.max, at: dataSizeOffset)
    if let frameCountOffset { header.storeLittle32(.max, at: frameCountOffset) }
  }
}

extension AudioContainer {
  fileprivate var dataChunk: FourCharacterCode { self == .aiff ? "SSND" : "data" }

  fileprivate var fillerChunk: FourCharacterCode {
    switch self {
    case .aiff: "FLLR"
    case .caf: "free"
    case .flac, .wav: "JUNK"
    }
  }

  fileprivate var formatChunk: FourCharacterCode {
    switch self {
    case .aiff: "COMM"
    case .caf: "desc"
    case .flac, .wav: "fmt "
    }
  }

  /// The minimum size of the format chunk: AIFF 1.3, "The Common Chunk"; `CAFAudioFormat`; `PCMWAVEFORMAT`.
  fileprivate var formatByteCount: Int {
    switch self {
    case .aiff: 18
    case .caf: 32
    case .flac, .wav: 16
    }
  }

  /// Bytes that the data chunk counts before its first sample: AIFF's offset and block size, CAF's edit count.
  fileprivate var dataPreambleByteCount: Int {
    switch self {
    case .aiff: 8
    case .caf: 4
    case .flac, .wav: 0
    }
  }
}
