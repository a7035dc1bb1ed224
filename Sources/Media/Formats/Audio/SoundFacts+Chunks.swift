import Base

extension SoundFacts {
  /// Room for the chunk ``encodeIXML(into:)``: 2,400 bytes of tags with eight tracks; four texts and eight
  /// names, of 96 bytes that escapes make 480; notes and a description, of 256 that they make 1,280; the loudness, twice;
  /// and 780 for the rest.
  static var ixmlByteCount: Int { 2_400 + 12 * 480 + 2 * 1_280 + 560 + 780 }

  /// The rest of the information list, after the ledger.
  func encodeInformation(into writer: inout ByteWriter) {
    writer.evenLittleChunk("ISFT") { writer in
      writer.text(ledger.origin("software "))
      writer.byte(0)
    }
    writer.evenLittleChunk("ICRD") { writer in
      writer.text(text(.date))
      writer.byte(0)
    }
  }

  /// The chunks after the information list.
  /// - Parameter byteCount: how many bytes `writer` has at the end; nil for as many as needed, and some to spare.
  func encodeChunks(upTo byteCount: Int?, into writer: inout ByteWriter) {
    writer.evenLittleChunk("guan", filler: UInt8(ascii: "\n")) { writer in encodeGUANO(into: &writer) }
    encodeCues(into: &writer)
    writer.evenLittleChunk("iXML", filler: UInt8(ascii: "\n")) { writer in
      encodeIXML(into: &writer)
      // A correction of the date may need longer numbers, but must not make the file longer.
      let spareByteCount = 64
      let missing = byteCount.map { $0 - writer.byteCount } ?? spareByteCount
      for _ in 0..<max(missing, 0) { writer.text("\n") }
    }
  }

  // MARK: GUANO

  /// The Grand Unified Acoustic Notation Ontology 1.0: a key and a value on each line.
  private func encodeGUANO(into writer: inout ByteWriter) {
    writer.text("GUANO|Version: 1.0\n")
    line("Timestamp", timestamp, into: &writer)
    line("Make", "fieldcorder" as FixedText<16>, into: &writer)
    line("Model", "fieldcorder" as FixedText<16>, into: &writer)
    line("Serial", device.text, into: &writer)
    line("Firmware Version", version, into: &writer)
    line("Samplerate", "\(sampleRateHz)" as FixedText<16>, into: &writer)
    line("Length", "\(seconds, decimals: 6)" as FixedText<32>, into: &writer)
    line("Loc Position", ledger.entry("position: "), into: &writer)
    line("Loc Elevation", altitude, into: &writer)
    let temperature = ledger.entry("temperature: ")
    line("Temperature Int", FixedText<16>(temperature.bytes.firstWord), into: &writer)
    line("Note", ledger.remarks, into: &writer)
    let part = part
    line("Fieldcorder|Take", "\(part.take)" as FixedText<16>, into: &writer)
    line("Fieldcorder|Part", "\(part.index)" as FixedText<16>, into: &writer)
    line("Fieldcorder|File UID", fileIdentity.text, into: &writer)
    line("Fieldcorder|Measured Samplerate", ledger.measuredRate, into: &writer)
    line("Fieldcorder|Loudness", loudness.text, into: &writer)
    line("Fieldcorder|Ended", ledger.ending, into: &writer)
    line("Fieldcorder|Deployment", deployment, into: &writer)
    line("Fieldcorder|Project", ledger.entry("project: "), into: &writer)
    line("Fieldcorder|Scene", ledger.entry("scene: "), into: &writer)
    line("Fieldcorder|Scene Take", ledger.entry("take: "), into: &writer)
    line("Fieldcorder|Tape", ledger.entry("tape: "), into: &writer)
    line("Fieldcorder|Verdict", ledger.entry(TakeVerdict.key), into: &writer)
  }

  /// Its name, which has at most 32 bytes.
  private var deployment: FixedText<32> { FixedText(ledger.entry("deployment: ").bytes) }

  /// In metres above the sea.
  private var altitude: FixedText<16> { FixedText(ledger.entry("altitude: ").bytes.firstWord) }

  /// A value that is not known has no line.
  private func line<let capacity: Int>(
    _ key: StaticString, _ value: FixedText<capacity>, into writer: inout ByteWriter
  ) {
    guard !value.isEmpty else { return }
    writer.text(key)
    writer.text(": ")
    writer.text(value)
    writer.byte(UInt8(ascii: "\n"))
  }

  /// The software's name without its first word.
  private var version: FixedText<64> {
    let software = ledger.origin("software ")
    let name = software.bytes.firstWord.count
    return name + 1 < software.byteCount ? FixedText(software.bytes.extracting(droppingFirst: name + 1)) : software
  }

  // MARK: Cue points

  /// Microsoft's RIFF specification of 1991, "Cue-Points Chunk" and "Associated Data Chunk": a point for each mark, and
  /// its text. Those that have no room, or whose frame does not fit 32 bits, are only in the ledger.
  private func encodeCues(into writer: inout ByteWriter) {
    // Beside both lists with their heads: the point; and its text with type, size, number and up to two zeros.
    let room = writer.freeByteCount - Self.ixmlByteCount - 2 * 12
    let count = ledger.markCount(within: room, overhead: 24 + 12 + 2)
    guard count > 0 else { return }
    writer.evenLittleChunk("cue ") { writer in
      writer.little32(count)
      var mark = LedgerMark()
      for number in 1...count where ledger.goToNext(&mark) {
        writer.little32(number)
        writer.little32(UInt32(mark.frame))
        writer.code("data")
        writer.zeros(8)
        writer.little32(UInt32(mark.frame))
      }
    }
    writer.evenLittleChunk("LIST") { writer in
      writer.code("adtl")
      var mark = LedgerMark()
      for number in 1...count where ledger.goToNext(&mark) {
        writer.evenLittleChunk("labl") { writer in
          writer.little32(number)
          writer.text(mark.label)
          writer.byte(0)
        }
      }
    }
  }

  // MARK: iXML

  /// The iXML Specification 2.10.
  private func encodeIXML(into writer: inout ByteWriter) {
    let part = part
    writer.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BWFXML>\n<IXML_VERSION>2.10</IXML_VERSION>\n")
    element("PROJECT", ledger.entry("project: "), into: &writer)
    element("SCENE", ledger.entry("scene: "), into: &writer)
    element("TAPE", ledger.entry("tape: "), into: &writer)
    let sceneTake = ledger.entry("take: ")
    element("TAKE", sceneTake.isEmpty ? "\(part.take)" : sceneTake, into: &writer)
    encodeVerdict(into: &writer)
    element("FILE_UID", fileIdentity.text, into: &writer)
    element("NOTE", ledger.remarks, into: &writer)
    writer.text("<FILE_SET>\n")
    element("FAMILY_UID", device.ofFile(part.take).text, into: &writer)
    element("FAMILY_NAME", "take \(part.take, width: 4)" as FixedText<32>, into: &writer)
    element("FILE_SET_INDEX", "\(part.index)" as FixedText<16>, into: &writer)
    writer.text("</FILE_SET>\n<SPEED>\n")
    element("FILE_SAMPLE_RATE", "\(sampleRateHz)" as FixedText<16>, into: &writer)
    element("AUDIO_BIT_DEPTH", "\(bitsPerSample)" as FixedText<16>, into: &writer)
    element("DIGITIZER_SAMPLE_RATE", "\(sampleRateHz)" as FixedText<16>, into: &writer)
    element("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI", "\(timeReference >> 32)" as FixedText<16>, into: &writer)
    element("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO", "\(timeReference & 0xFFFF_FFFF)" as FixedText<16>, into: &writer)
    element("TIMESTAMP_SAMPLE_RATE", "\(sampleRateHz)" as FixedText<16>, into: &writer)
    encodeTimecode(into: &writer)
    writer.text("</SPEED>\n")
    encodeLoudness(into: &writer)
    encodeTracks(into: &writer)
    encodeBroadcastMirror(into: &writer)
    encodeLocation(into: &writer)
    writer.text("</BWFXML>\n")
  }

  private func encodeTimecode(into writer: inout ByteWriter) {
    guard let rate = timecode?.rate else { return }
    let isExact = rate.secondsPerThousandFrames == 1000
    let fraction: FixedText<16> = isExact ? "\(rate.framesPerSecond)/1" : "\(rate.framesPerSecond * 1000)/1001"
    element("TIMECODE_RATE", fraction, into: &writer)
    element("TIMECODE_FLAG", rate.isDrop ? "DF" : "NDF" as FixedText<16>, into: &writer)
  }

  private func encodeLoudness(into writer: inout ByteWriter) {
    guard !loudness.text.isEmpty else { return }
    writer.text("<LOUDNESS>\n")
    encodeLoudness(
      [
        "LOUDNESS_VALUE", "LOUDNESS_RANGE", "MAX_TRUE_PEAK_LEVEL", "MAX_MOMENTARY_LOUDNESS", "MAX_SHORT_TERM_LOUDNESS",
      ], into: &writer)
    writer.text("</LOUDNESS>\n")
  }

  private func encodeLoudness(_ names: InlineArray<5, StaticString>, into writer: inout ByteWriter) {
    let loudness = loudness
    for place in names.indices { element(names[place], loudness.number(place), into: &writer) }
  }

  private func encodeVerdict(into writer: inout ByteWriter) {
    let verdict = ledger.verdict
    writer.text("<CIRCLED>\(verdict == .circled ? "TRUE" : "FALSE" as StaticString)</CIRCLED>\n" as FixedText<32>)
    if verdict == .falseTake { writer.text("<TAKE_TYPE>NO_GOOD</TAKE_TYPE>\n") }
  }

  private func encodeTracks(into writer: inout ByteWriter) {
    let mostTracks: UInt16 = 8
    writer.text("<TRACK_LIST>\n")
    element("TRACK_COUNT", "\(channelCount)" as FixedText<16>, into: &writer)
    for channel in 0..<min(channelCount, mostTracks) {
      writer.text("<TRACK>\n")
      element("CHANNEL_INDEX", "\(channel + 1)" as FixedText<16>, into: &writer)
      element("INTERLEAVE_INDEX", "\(channel + 1)" as FixedText<16>, into: &writer)
      element("NAME", ledger.trackName(channel + 1, of: channelCount), into: &writer)
      writer.text("</TRACK>\n")
    }
    writer.text("</TRACK_LIST>\n")
  }

  private func encodeBroadcastMirror(into writer: inout ByteWriter) {
    writer.text("<BEXT>\n")
    element("BWF_DESCRIPTION", text(.description), into: &writer)
    element("BWF_ORIGINATOR", text(.originator), into: &writer)
    element("BWF_ORIGINATOR_REFERENCE", text(.originatorReference), into: &writer)
    element("BWF_ORIGINATION_DATE", text(.date), into: &writer)
    element("BWF_ORIGINATION_TIME", text(.time), into: &writer)
    element("BWF_TIME_REFERENCE_LOW", "\(timeReference & 0xFFFF_FFFF)" as FixedText<16>, into: &writer)
    element("BWF_TIME_REFERENCE_HIGH", "\(timeReference >> 32)" as FixedText<16>, into: &writer)
    writer.text("<BWF_VERSION>2</BWF_VERSION>\n")
    element("BWF_UMID", basicUMID, into: &writer)
    element("BWF_CODING_HISTORY", codingHistory, into: &writer)
    encodeLoudness(
      [
        "BWF_LOUDNESS_VALUE", "BWF_LOUDNESS_RANGE", "BWF_MAX_TRUE_PEAK_LEVEL", "BWF_MAX_MOMENTARY_LOUDNESS",
        "BWF_MAX_SHORT_TERM_LOUDNESS",
      ], into: &writer)
    writer.text("</BEXT>\n")
  }

  private func encodeLocation(into writer: inout ByteWriter) {
    let position = ledger.entry("position: ")
    guard !position.isEmpty || !deployment.isEmpty else { return }
    writer.text("<LOCATION>\n")
    element("LOCATION_NAME", deployment, into: &writer)
    let latitude = position.bytes.firstWord
    var place = FixedText<96>(latitude)
    if !place.isEmpty { place.append(",") }
    place.append(bytes: position.bytes.extracting(droppingFirst: latitude.count))
    element("LOCATION_GPS", place, into: &writer)
    element("LOCATION_ALTITUDE", altitude, into: &writer)
    writer.text("</LOCATION>\n")
  }

  /// A value that is not known has no element.
  private func element<let capacity: Int>(
    _ name: StaticString, _ value: FixedText<capacity>, into writer: inout ByteWriter
  ) {
    guard !value.isEmpty else { return }
    writer.text("<")
    writer.text(name)
    writer.text(">")
    writer.xml(value.bytes)
    writer.text("</")
    writer.text(name)
    writer.text(">\n")
  }
}

extension ByteWriter {
  /// Writes text for an element of XML 1.0. What XML cannot hold, and bytes that are not UTF-8, become U+FFFD.
  fileprivate mutating func xml(_ text: Span<UInt8>) {
    var utf8 = UTF8Decoder()
    for index in text.indices {
      let byte = text[index]
      if utf8.isInsideCharacter, !byte.isUTF8Continuation { xml(UTF8Decoder.replacement) }
      if let scalar = utf8.next(byte) { xml(scalar) }
    }
    if utf8.isInsideCharacter { xml(UTF8Decoder.replacement) }
  }

  private mutating func xml(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "<": text("&lt;")
    case ">": text("&gt;")
    case "&": text("&amp;")
    default:
      let isAllowed = scalar.value >= 0x20 && scalar.value < 0xFFFE || scalar.value >= 0x10000
      var encoded = FixedText<4>()
      encoded.append(scalar: isAllowed ? scalar : UTF8Decoder.replacement)
      text(encoded)
    }
  }
}
