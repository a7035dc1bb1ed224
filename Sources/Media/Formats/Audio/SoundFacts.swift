import Base

/// What the chunks after the sound of a WAV say about it, from the file's header and its ledger alone: so they are the
/// same whether the take was ended or repaired, and can be made again once a date is corrected.
struct SoundFacts: ~Escapable {
  /// The content of `bext`.
  private let broadcast: RawSpan
  let ledger: Span<UInt8>
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
    self.ledger = ledger
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

  /// Frames between midnight and the first one.
  var timeReference: UInt64 {
    let place = BroadcastField.timeReference.range.lowerBound
    return broadcast.big64(at: place)?.byteSwapped ?? 0
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
    let rate = UInt64(max(sampleRateHz, 1))
    let milliseconds = timeReference % rate * 1000 / rate
    return "\(text(.date))T\(text(.time)).\(milliseconds, width: 3)Z"
  }

  var seconds: Double { Double(frameCount) / Double(max(sampleRateHz, 1)) }
}

extension SoundFacts {
  /// The text of the last entry that begins with `key`; empty if there is none.
  func entry(_ key: StaticString) -> FixedText<96> {
    var found = FixedText<96>()
    var place = 0
    while let entry = nextEntry(from: &place) {
      if let text = ledger.extracting(entry.text).removingPrefix(key) { found = FixedText(text) }
    }
    return found
  }

  /// The next entry of the ledger.
  /// - Parameter place: the start of a line; then that of the line after the entry.
  func nextEntry(from place: inout Int) -> (frame: UInt64, text: Range<Int>)? {
    while place < ledger.count {
      let line = ledger.extracting(droppingFirst: place).firstLine
      let end = place + line.count
      place = end + 1
      guard let entry = line.ledgerEntry, let frame = line.ledgerFrame else { continue }
      return (frame, end - entry.count..<end)
    }
    return nil
  }

  /// The text after `key` in the ledger's first line, up to a semicolon; empty if there is none.
  func origin(_ key: StaticString) -> FixedText<64> {
    var rest = ledger.firstLine
    while true {
      if let value = rest.removingPrefix(key) {
        return FixedText(value.extracting(first: value.firstIndex(of: ";") ?? value.count))
      }
      guard let separator = rest.firstIndex(of: ";"), separator + 2 <= rest.count else { return "" }
      rest = rest.extracting(droppingFirst: separator + 2)
    }
  }

  /// The measured sample rate, from the ledger's second line: `47999.214 Hz, -16.38 ppm`.
  var measuredRate: FixedText<64> {
    let head = ledger.firstLine.count + 1
    guard head < ledger.count,
      let rate = ledger.extracting(droppingFirst: head).firstLine.removingPrefix("sample rate ")
    else { return "" }
    return FixedText(rate.withoutSpacesAtEnd)
  }

  /// Why the file ended; empty if the ledger does not say.
  var ending: FixedText<96> {
    guard let start = ledger.firstLine(startingWith: TakeEnding.lineStart) else { return "" }
    return FixedText(ledger.extracting(droppingFirst: start + TakeEnding.lineStart.utf8CodeUnitCount).firstLine)
  }

  /// Which file of which take this is.
  var part: TakePart {
    let own = fileIdentity.number(of: device)
    if let part = TakePart(entry(TakePart.entryStart).bytes) { return part }
    let continued = origin("continues ")
    guard !continued.isEmpty else { return TakePart(index: 1, take: own) }
    return TakePart(index: 1, take: TakePart.number(inName: continued.bytes) ?? own)
  }

  /// The recorder that made the take.
  var device: DeviceIdentity { DeviceIdentity(text: origin(Provenance.lineStart).bytes) ?? fileIdentity }

  /// The name of a channel, counted from 1.
  func trackName(_ channel: UInt16) -> FixedText<96> {
    let key: FixedText<16> = "track \(channel): "
    var place = 0
    var found = FixedText<96>()
    while let entry = nextEntry(from: &place) {
      let text = ledger.extracting(entry.text)
      if text.starts(with: key.bytes) { found = FixedText(text.extracting(droppingFirst: key.byteCount)) }
    }
    guard found.isEmpty else { return found }
    switch (channelCount, channel) {
    case (1, _): return "mono"
    case (2, 1): return "left"
    case (2, 2): return "right"
    default: return "channel \(channel)"
    }
  }
}

/// Which file of a take a file is: a take continues in a new file when it is split or the device is turned.
package struct TakePart: BitwiseCopyable, Equatable, Sendable {
  /// Counted from 1.
  package var index: UInt32
  /// The number of the take's first file.
  package var take: UInt32

  package init(index: UInt32, take: UInt32) {
    self.index = index
    self.take = take
  }

  /// The ledger's entry in each file but the first.
  package var entry: FixedText<96> { "\(Self.entryStart)\(index) of take \(take, width: 4)" }

  static var entryStart: StaticString { "part " }

  /// - Parameter text: an entry after ``entryStart``. Nil for any other text.
  init?(_ text: Span<UInt8>) {
    let number = text.firstWord
    guard let index = number.parseInteger(as: UInt32.self),
      let rest = text.extracting(droppingFirst: number.count).removingPrefix(" of take "),
      let take = rest.parseInteger(as: UInt32.self)
    else { return nil }
    self.init(index: index, take: take)
  }

  /// The number with which the name of a take's file ends.
  static func number(inName name: Span<UInt8>) -> UInt32? {
    let end = name.firstIndex(of: ".") ?? name.count
    var start = end
    while start > 0, name[start - 1] >= UInt8(ascii: "0"), name[start - 1] <= UInt8(ascii: "9") { start -= 1 }
    return name.extracting(start..<end).parseInteger(as: UInt32.self)
  }
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

extension Span<UInt8> {
  /// The bytes before the first line feed.
  var firstLine: Span<UInt8> {
    @_lifetime(copy self)
    get { extracting(first: firstIndex(of: "\n") ?? count) }
  }

  /// The text of a ledger entry after time, sample and time of day; nil for any other line.
  package var ledgerEntry: Span<UInt8>? {
    @_lifetime(copy self)
    get {
      var rest = self
      for number in 0..<4 {
        if number == 1, rest.removingPrefix("sample ") == nil { return nil }
        // Such as `12:34:56.789`; the longest is `2026-11-21T05:39:33.345Z`.
        var end = 0
        while end < Swift.min(rest.count, 26), rest[end] != UInt8(ascii: " ") { end += 1 }
        guard end > 0, end < Swift.min(rest.count, 26) else { return nil }
        rest = rest.extracting(droppingFirst: end + 1)
      }
      return rest
    }
  }

  /// The sample frame of a line with a ``ledgerEntry``.
  fileprivate var ledgerFrame: UInt64? {
    let time = firstWord
    return extracting(droppingFirst: time.count).removingPrefix(" sample ")?.firstWord.parseInteger()
  }
}
