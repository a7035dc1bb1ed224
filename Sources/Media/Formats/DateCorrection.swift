import Base

/// Changes the recording date of a complete file in place: every field that holds it has a fixed size. Only fields that
/// hold the old date are changed, so that the correction can be repeated after a power cut, and a foreign file stays as
/// it is.
package struct DateCorrection: Sendable {
  private let old: UInt64
  private let new: UInt64
  /// How much later the new date is, in nanoseconds.
  private let shiftNanoseconds: Int64

  /// - Parameters:
  ///   - old: the file's present date, in seconds since 1970-01-01 UTC; not negative.
  ///   - new: the date to set; not negative.
  ///   - shiftNanoseconds: how much later `new` is, for fields that are exact to the frame; nil for whole seconds.
  package init(from old: Int64, to new: Int64, shiftNanoseconds: Int64? = nil) {
    self.old = UInt64(old)
    self.new = UInt64(new)
    let whole = (new - old).multipliedReportingOverflow(by: 1_000_000_000)
    self.shiftNanoseconds = shiftNanoseconds ?? (whole.overflow ? 0 : whole.partialValue)
  }

  /// The number of scratch bytes needed.
  package static var scratchByteCount: Int { AudioFileDescription.headerByteCount }

  /// Corrects a MOV: the dates of the movie, its tracks and their media, the item `creationdate`, and its timecode
  /// if that is the time of day.
  /// - Returns: whether the old date was found.
  package func correct<File: MediaFile & ~Copyable>(
    movie file: inout File, scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Bool {
    var isFound = false
    var offset: UInt64 = 0
    while let box = try FileBox(at: offset, before: file.byteCount, in: &file, &scratch) {
      if box.type == "moov", try correct(content: box, &file, &scratch) { isFound = true }
      offset = box.end
    }
    return isFound
  }

  private func correct<File: MediaFile & ~Copyable>(
    content parent: FileBox, _ file: inout File, _ scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Bool {
    var isFound = false
    var offset = parent.contentStart
    while let box = try FileBox(at: offset, before: parent.end, in: &file, &scratch) {
      let isCorrected =
        switch box.type {
        case "trak", "mdia": try correct(content: box, &file, &scratch)
        case "mvhd", "tkhd", "mdhd": try correct(header: box, &file, &scratch)
        case "free": try correct(timecode: box, &file, &scratch)
        case "meta": try correctTexts(in: box.contentStart..<box.end, &file, &scratch)
        default: false
        }
      if isCorrected { isFound = true }
      offset = box.end
    }
    return isFound
  }

  /// Corrects both dates of each header: creation and modification.
  private func correct<File: MediaFile & ~Copyable>(
    header box: FileBox, _ file: inout File, _ scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Bool {
    var start = scratch._mutatingExtracting(first: 20)
    let created = TimeWidth.datesOffset
    guard box.end - box.contentStart >= 20, try file.read(at: box.contentStart, into: &start) == 20,
      let width = TimeWidth(start.bytes, contentStart: 0),
      width.time(start.bytes, at: created) == old + MovieDescription.secondsFrom1904To1970
    else { return false }
    let modified = created + width.byteCount
    width.store(date: new + MovieDescription.secondsFrom1904To1970, at: created, in: &start)
    width.store(date: new + MovieDescription.secondsFrom1904To1970, at: modified, in: &start)
    let dates = start.bytes.extracting(created..<modified + width.byteCount)
    try file.write(dates, at: box.contentStart + UInt64(created))
    return true
  }

  private func correct<File: MediaFile & ~Copyable>(
    timecode box: FileBox, _ file: inout File, _ scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Bool {
    let byteCount = MovieTimecode.boxByteCount
    var room = scratch._mutatingExtracting(first: byteCount)
    guard box.end - box.contentStart == byteCount - 8,
      try file.read(at: box.contentStart - 8, into: &room) == byteCount,
      var timecode = MovieTimecode(room.bytes), timecode.created == old + MovieDescription.secondsFrom1904To1970
    else { return false }
    timecode.created = new + MovieDescription.secondsFrom1904To1970
    timecode.startMilliseconds = UInt32(moved(Int64(timecode.startMilliseconds)))
    timecode.count()
    var writer = ByteWriter(&scratch)
    timecode.encodeBox(into: &writer)
    try file.write(writer.bytes, at: box.contentStart - 8)
    return true
  }

  /// Corrects a file with sound only: the text in its header, and the time reference of a WAV.
  /// - Returns: whether the old date was found.
  package func correct<File: MediaFile & ~Copyable>(
    audio file: inout File, scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Bool {
    let headerByteCount = UInt64(AudioFileDescription.headerByteCount)
    let isFound = try correctTexts(in: 0..<headerByteCount, &file, &scratch)
    var head = scratch._mutatingExtracting(first: 4)
    guard isFound, try file.read(at: 0, into: &head) == 4, head.bytes.code(at: 0) == "fLaC",
      try file.read(at: headerByteCount, into: &head) == 4, let block = head.bytes.big32(at: 0)
    else { return isFound }
    // The comments follow the list of hashes; the ledger in them stays as it was sealed.
    let list = block & 0xFF00_0000 == FLACHeader.application ? UInt64(block & 0xFF_FFFF) + 4 : 0
    let comments = headerByteCount + list
    let beforeText = UInt64(HashListCoding.byteCountBeforeText(in: .flac))
    _ = try correctTexts(in: comments..<comments + beforeText, &file, &scratch)
    return true
  }

  /// Corrects a still: the dates and milliseconds in its Exif segment, which begins the file and is shorter than 1,024
  /// bytes.
  /// - Returns: whether the old date was found.
  package func correct<File: MediaFile & ~Copyable>(
    still file: inout File, scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Bool {
    try correctTexts(in: 0..<UInt64(Self.scratchByteCount), &file, &scratch)
  }

  /// Corrects every form of the old date in a part of a file.
  private func correctTexts<File: MediaFile & ~Copyable>(
    in range: Range<UInt64>, _ file: inout File, _ scratch: inout MutableRawSpan
  ) throws(File.Failure) -> Bool {
    let wanted = min(UInt64(Self.scratchByteCount), range.upperBound - range.lowerBound)
    var part = scratch._mutatingExtracting(first: Int(wanted))
    let byteCount = try file.read(at: range.lowerBound, into: &part)
    let rate = part.bytes.wavSampleRateHz
    let year: FixedText<64> = "\(CivilTime(unixSeconds: Int64(clamping: old)).year, width: 4)"
    var isFound = false
    for offset in 0..<byteCount {
      let isDate = part.bytes.extracting(offset..<byteCount).begins(with: year)
      // Milliseconds follow the first date: if that was corrected before, they are not moved twice.
      guard isDate || isFound,
        let corrected = isDate
          ? corrected(part.bytes.extracting(offset..<byteCount), rate)
          : correctedMilliseconds(part.bytes.extracting(offset..<byteCount))
      else { continue }
      var written = part._mutatingExtracting(offset..<offset + corrected.byteCount)
      for index in 0..<corrected.byteCount {
        written.storeBytes(of: corrected.bytes[index], toByteOffset: index, as: UInt8.self)
      }
      try file.write(written.bytes, at: range.lowerBound + UInt64(offset))
      isFound = true
    }
    return isFound
  }

  /// The replacement for `bytes`; nil if they do not begin with the old date.
  private func corrected(_ bytes: RawSpan, _ wavSampleRateHz: UInt32?) -> FixedText<64>? {
    var rawValue: UInt8 = 0
    while let form = DateForm(rawValue: rawValue) {
      if bytes.begins(with: form.text(of: old)) {
        var text = form.text(of: new)
        if form == .broadcast, let wavSampleRateHz { moveTimeReference(bytes, wavSampleRateHz, into: &text) }
        return text
      }
      rawValue += 1
    }
    return nil
  }

  /// An Exif entry for SubSecTime, SubSecTimeOriginal or SubSecTimeDigitized with three digits (CIPA DC-008, 4.6.6).
  private func correctedMilliseconds(_ bytes: RawSpan) -> FixedText<64>? {
    guard bytes.byteCount >= 12, let start = bytes.big32(at: 0), bytes.big32(at: 4) == 4, bytes.byte(at: 11) == 0 else {
      return nil
    }
    let isSubsecond = start == 0x9290_0002 || start == 0x9291_0002 || start == 0x9292_0002
    guard isSubsecond else { return nil }
    var text = FixedText<64>()
    for index in 0..<8 { text.append(byte: bytes.byte(at: index)) }
    var milliseconds: Int64 = 0
    for index in 8..<11 {
      let byte = bytes.byte(at: index)
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      milliseconds = milliseconds * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    let digits: FixedText<8> = "\(moved(milliseconds), width: 3)"
    text.append(digits)
    return text
  }

  /// The milliseconds that remain beside the new date, which is a whole second.
  private func moved(_ milliseconds: Int64) -> Int64 {
    let (seconds, rest) = shiftNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let (ahead, overflow) = seconds.subtractingReportingOverflow(Int64(clamping: new) - Int64(clamping: old))
    guard !overflow, (-2...2).contains(ahead) else { return milliseconds }
    let moved = milliseconds + rest / 1_000_000 + ahead * 1_000
    return min(max(moved, 0), 999)
  }

  /// EBU Tech 3285, 2.3: frames since midnight follow date and time. All files of a take move by the same number.
  private func moveTimeReference(_ bytes: RawSpan, _ rateHz: UInt32, into text: inout FixedText<64>) {
    let place = text.byteCount
    guard let low = bytes.big32(at: place)?.byteSwapped, let high = bytes.big32(at: place + 4)?.byteSwapped else {
      return
    }
    let rate = Int64(max(rateHz, 1))
    let (seconds, rest) = shiftNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let day = 86_400 * rate
    let old = Int64(clamping: UInt64(high) << 32 | UInt64(low)) % day
    let moved = (old + seconds % 86_400 * rate + rest * rate / 1_000_000_000) % day
    var frames = UInt64(moved < 0 ? moved + day : moved)
    for _ in 0..<8 {
      text.append(byte: UInt8(truncatingIfNeeded: frames))
      frames >>= 8
    }
  }
}

/// The forms in which files write a date; each has the same length for all dates. A longer form comes before one that
/// is its prefix.
private enum DateForm: UInt8 {
  /// AIFF, CAF and MOV: `2026-11-21T09:30:00Z`.
  case iso8601
  /// WAV, `bext`: `2026-11-2109:30:00`, before the time reference.
  case broadcast
  /// WAV, `ICRD`: `2026-11-21`.
  case isoDate
  /// Exif: `2026:11:21 09:30:00`.
  case exif

  func text(of unixSeconds: UInt64) -> FixedText<64> {
    let time = CivilTime(unixSeconds: Int64(clamping: unixSeconds))
    switch self {
    case .iso8601: return "\(time.iso8601)"
    case .isoDate: return "\(time.isoDate)"
    case .exif: return "\(time.year, width: 4):\(time.month, width: 2):\(time.day, width: 2) \(time.isoTime)"
    case .broadcast: return "\(time.isoDate)\(time.isoTime)"
    }
  }
}

/// A box in a file whose header has been read.
private struct FileBox {
  let type: FourCharacterCode
  let contentStart: UInt64
  let end: UInt64

  /// - Returns: nil if there is no whole box.
  init?<File: MediaFile & ~Copyable>(
    at offset: UInt64, before limit: UInt64, in file: inout File, _ scratch: inout MutableRawSpan
  ) throws(File.Failure) {
    guard offset < limit, limit - offset >= 8 else { return nil }
    var head = scratch._mutatingExtracting(first: 16)
    let byteCount = try file.read(at: offset, into: &head)
    guard byteCount >= 8, let size = head.bytes.big32(at: 0), let type = head.bytes.code(at: 4) else { return nil }
    let isLarge = size == 1
    let length = isLarge ? head.bytes.big64(at: 8) ?? 0 : UInt64(size)
    guard length >= (isLarge ? 16 : 8), length <= limit - offset, !isLarge || byteCount == 16 else { return nil }
    self.type = type
    contentStart = offset + (isLarge ? 16 : 8)
    end = offset + length
  }
}

extension RawSpan {
  fileprivate func begins(with text: borrowing FixedText<64>) -> Bool {
    guard byteCount >= text.byteCount else { return false }
    for index in 0..<text.byteCount where byte(at: index) != text.bytes[index] { return false }
    return true
  }

  /// The rate in the first `fmt ` chunk; nil if there is none.
  fileprivate var wavSampleRateHz: UInt32? {
    guard code(at: 0) == "RIFF" || code(at: 0) == "RF64" else { return nil }
    for offset in 0..<max(byteCount - 16, 0) where code(at: offset) == "fmt " {
      return big32(at: offset + 12)?.byteSwapped
    }
    return nil
  }
}
