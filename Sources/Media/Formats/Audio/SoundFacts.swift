import Base

/// What the chunks after the sound of a WAV say about it, from the file's header and its ledger alone: so they are the
/// same whether the take was ended or repaired, and can be made again once a date is corrected.
struct SoundFacts: ~Escapable {
  /// The content of `bext`.
  private let broadcast: RawSpan
  let ledger: LedgerFacts
  let sampleRateHz: UInt32
  let channelCount: UInt16
  let bitsPerSample: UInt16
  let frameCount: UInt64

  /// - Parameters:
  ///   - header: the first ``AudioFileDescription/headerByteCount`` bytes of the file.
  ///   - ledger: its text.
  /// - Returns: nil if this is not the header of a WAV with a broadcast extension.
  @_lifetime(copy header, copy ledger)
  init?(header: RawSpan, dataByteCount: UInt64, ledger: Span<UInt8>) {
    guard let chunks = AudioChunks(header), chunks.container == .wav, let format = chunks.first("fmt "),
      let broadcast = chunks.first("bext"), broadcast.byteCount >= BroadcastField.end,
      let channelCount = header.big16(at: format.contentStart + 2)?.byteSwapped,
      let sampleRateHz = header.big32(at: format.contentStart + 4)?.byteSwapped,
      let bytesPerFrame = header.big16(at: format.contentStart + 12)?.byteSwapped,
      let bitsPerSample = header.big16(at: format.contentStart + 14)?.byteSwapped
    else { return nil }
    self.broadcast = header.extracting(broadcast.contentStart..<broadcast.end)
    self.ledger = LedgerFacts(ledger)
    self.channelCount = channelCount
    self.sampleRateHz = sampleRateHz
    self.bitsPerSample = bitsPerSample
    frameCount = dataByteCount / UInt64(max(bytesPerFrame, 1))
  }

  /// A text of the broadcast extension.
  func text(_ field: BroadcastField) -> FixedText<256> {
    var text = FixedText<256>()
    for offset in field.range {
      let byte = broadcast.byte(at: offset)
      guard byte != 0 else { break }
      text.append(byte: byte)
    }
    return text
  }

  /// What follows the broadcast extension's fixed fields, without its line break.
  var codingHistory: FixedText<64> {
    var text = FixedText<64>()
    for offset in BroadcastField.end..<broadcast.byteCount {
      let byte = broadcast.byte(at: offset)
      guard byte > UInt8(ascii: " ") else { break }
      text.append(byte: byte)
    }
    return text
  }

  /// Frames between midnight and the first one: of the timecode, or of the time of day if there is none.
  var timeReference: UInt64 { timecode?.samplesSinceMidnight ?? headerTimeReference }

  /// What the header says.
  private var headerTimeReference: UInt64 {
    let place = BroadcastField.timeReference.range.lowerBound
    return broadcast.big64(at: place)?.byteSwapped ?? 0
  }

  var timecode: (rate: TimecodeRate, samplesSinceMidnight: UInt64)? { ledger.timecode(sampleRateHz: sampleRateHz) }

  /// By EBU R 128.
  var loudness: Loudness { Loudness(ledger.entry(Loudness.key).bytes) }

  /// - Returns: whether there is timecode.
  static func storeTimecode(_ ledger: Span<UInt8>, in header: inout MutableRawSpan) -> Bool {
    let place: Int
    let samples: UInt64
    do {
      guard let facts = SoundFacts(header: header.bytes, dataByteCount: 0, ledger: ledger),
        let timecode = facts.timecode,
        let broadcast = AudioChunks(header.bytes)?.first("bext")
      else { return false }
      place = broadcast.contentStart + BroadcastField.timeReference.range.lowerBound
      samples = timecode.samplesSinceMidnight
    }
    header.storeLittle64(samples, at: place)
    return true
  }

  /// Makes the loudness in the header of a WAV what the ledger says.
  static func storeLoudness(_ ledger: Span<UInt8>, in header: inout MutableRawSpan) {
    guard let broadcast = AudioChunks(header.bytes)?.first("bext"), broadcast.byteCount >= BroadcastField.end else {
      return
    }
    let loudness = Loudness(LedgerFacts(ledger).entry(Loudness.key).bytes)
    loudness.store(in: &header, at: broadcast.contentStart + BroadcastField.loudness.range.lowerBound)
  }

  /// The first 32 bytes of a UMID, in hexadecimal digits.
  var basicUMID: FixedText<64> {
    var text = FixedText<64>()
    for offset in BroadcastField.umid.range.prefix(BasicUMID.byteCount) {
      text.append(hexadecimal: UInt64(broadcast.byte(at: offset)), width: 2)
    }
    return text
  }

  /// ``Provenance/fileIdentity``: the UMID's material number.
  var fileIdentity: DeviceIdentity {
    let place = BroadcastField.umid.range.lowerBound + BasicUMID.materialOffset
    return DeviceIdentity(high: broadcast.big64(at: place) ?? 0, low: broadcast.big64(at: place + 8) ?? 0)
  }

  /// `2026-11-21T09:30:00.123Z`.
  var timestamp: FixedText<32> {
    // A time reference that is timecode says nothing of the time of day.
    guard timecode == nil else { return "\(text(.date))T\(text(.time))Z" }
    let rate = UInt64(max(sampleRateHz, 1))
    let milliseconds = timeReference % rate * 1000 / rate
    return "\(text(.date))T\(text(.time)).\(milliseconds, width: 3)Z"
  }

  var part: TakePart { ledger.part(ofFile: fileIdentity.number(of: device)) }

  /// The recorder that made the take.
  var device: DeviceIdentity { ledger.device ?? fileIdentity }

  var seconds: Double { Double(frameCount) / Double(max(sampleRateHz, 1)) }
}

/// The fields of the broadcast extension, EBU Tech 3285, 2.3.
enum BroadcastField {
  case description
  case originator
  case originatorReference
  case date
  case time
  case timeReference
  case umid
  case loudness

  /// The offsets in the chunk's content.
  var range: Range<Int> {
    switch self {
    case .description: 0..<256
    case .originator: 256..<288
    case .originatorReference: 288..<320
    case .date: 320..<330
    case .time: 330..<338
    case .timeReference: 338..<346
    case .umid: 348..<412
    case .loudness: 412..<422
    }
  }

  /// The size of the fixed fields; the coding history follows.
  static var end: Int { 602 }
}

/// The Unique Material Identifier of SMPTE 330M, in its basic form.
enum BasicUMID {
  static var byteCount: Int { 32 }
  /// Where its material number begins, which has 16 bytes.
  static var materialOffset: Int { 16 }

  /// Universal label, material type, how the numbers were made (material: a UUID; instance: none, for it is the
  /// original), length, instance number, material number.
  static func encode(_ identity: DeviceIdentity, channelCount: UInt16, into writer: inout ByteWriter) {
    let audioOfOneComponent: UInt8 = 0x08
    let audioOfSeveral: UInt8 = 0x09
    let materialIsUUID: UInt8 = 0x20
    let followingByteCount: UInt8 = 0x13
    writer.big64(0x060A_2B34_0101_0105)
    writer.big16(0x0101)
    writer.byte(channelCount == 1 ? audioOfOneComponent : audioOfSeveral)
    writer.byte(materialIsUUID)
    writer.byte(followingByteCount)
    writer.zeros(3)
    writer.big64(identity.high)
    writer.big64(identity.low)
  }
}

/// The date in a file with sound alone.
package enum RecordedDate {
  /// When the file begins, in seconds since 1970-01-01 UTC; nil if there is no date.
  /// - Parameter front: the beginning of the file.
  package static func unixSeconds(front: RawSpan) -> Int64? {
    for offset in 0..<max(front.byteCount - 19, 0) {
      if let seconds = unixSeconds(front, at: offset) { return seconds }
    }
    return nil
  }

  /// AIFF and CAF have `2026-11-21T09:30:00Z`, the broadcast extension of a WAV `2026-11-2109:30:00`.
  private static func unixSeconds(_ front: RawSpan, at offset: Int) -> Int64? {
    let timeOffset = offset + (front.byte(at: offset + 10) == UInt8(ascii: "T") ? 11 : 10)
    guard front.byte(at: offset + 4) == UInt8(ascii: "-"), front.byte(at: offset + 7) == UInt8(ascii: "-"),
      front.byte(at: timeOffset + 2) == UInt8(ascii: ":"), front.byte(at: timeOffset + 5) == UInt8(ascii: ":"),
      let century = pair(front, at: offset), let year = pair(front, at: offset + 2),
      let month = pair(front, at: offset + 5), let day = pair(front, at: offset + 8),
      let hour = pair(front, at: timeOffset), let minute = pair(front, at: timeOffset + 3),
      let second = pair(front, at: timeOffset + 6)
    else { return nil }
    let dayNumber = CivilTime.dayNumber(year: century * 100 + year, month: month, day: day)
    return ((dayNumber * 24 + hour) * 60 + minute) * 60 + second
  }

  /// A number of two digits.
  private static func pair(_ bytes: RawSpan, at offset: Int) -> Int64? {
    let digits = (bytes.byte(at: offset) &- UInt8(ascii: "0"), bytes.byte(at: offset + 1) &- UInt8(ascii: "0"))
    return digits.0 < 10 && digits.1 < 10 ? Int64(digits.0) * 10 + Int64(digits.1) : nil
  }
}
