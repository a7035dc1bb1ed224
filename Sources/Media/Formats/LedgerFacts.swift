import Base

/// What a ledger says about its file.
package struct LedgerFacts: ~Escapable {
  private let text: Span<UInt8>

  /// - Parameter text: the ledger, from its first line on.
  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  /// - Parameter bytes: the end of a file, in which the ledger is somewhere.
  @_lifetime(copy bytes)
  package init(in bytes: Span<UInt8>) {
    var start = 0
    while start < bytes.count, bytes.extracting(droppingFirst: start).removingPrefix(Provenance.lineStart) == nil {
      start += 1
    }
    text = bytes.extracting(droppingFirst: start)
  }

  /// The text of the last entry that begins with `key`; empty if there is none.
  package func entry(_ key: StaticString) -> FixedText<96> { entry(key.utf8Bytes) }

  private func entry(_ key: Span<UInt8>) -> FixedText<96> {
    var found = FixedText<96>()
    var place = 0
    while let entry = nextEntry(from: &place) {
      if let value = text.extracting(entry.text).value(of: key) { found = FixedText(value) }
    }
    return found
  }

  /// The next entry.
  /// - Parameter place: the start of a line; then that of the line after the entry.
  func nextEntry(from place: inout Int) -> (frame: UInt64, text: Range<Int>)? {
    while place < text.count {
      let line = text.extracting(droppingFirst: place).firstLine
      let end = place + line.count
      place = end + 1
      guard let entry = line.ledgerEntry, let frame = line.ledgerFrame else { continue }
      return (frame, end - entry.count..<end)
    }
    return nil
  }

  /// The text of the next mark: its own, or its number.
  /// - Parameter mark: the mark before; then this one.
  func goToNext(_ mark: inout LedgerMark) -> Bool {
    while let entry = nextEntry(from: &mark.place) {
      guard let rest = text.extracting(entry.text).removingPrefix("mark") else { continue }
      guard rest.isEmpty || rest.removingPrefix(": ") != nil else { continue }
      mark.number += 1
      mark.frame = entry.frame
      mark.label = "mark \(mark.number)"
      if let text = rest.removingPrefix(": ") { mark.label = FixedText(text) }
      return true
    }
    return false
  }

  /// How many marks fit.
  /// - Parameters:
  ///   - room: in bytes.
  ///   - overhead: bytes that each needs besides its text.
  func markCount(within room: Int, overhead: Int) -> UInt32 {
    var room = room
    var mark = LedgerMark()
    while goToNext(&mark), mark.frame <= UInt64(UInt32.max) {
      room -= overhead + mark.label.byteCount
      if room < 0 { return mark.number - 1 }
    }
    return mark.frame <= UInt64(UInt32.max) ? mark.number : mark.number - 1
  }

  /// The timecode of the file's first sample; nil if there is none.
  func timecode(sampleRateHz: UInt32) -> (rate: TimecodeRate, samplesSinceMidnight: UInt64)? {
    guard let (heard, frame) = firstTimecode else { return nil }
    let day = heard.rate.samplesPerDay(sampleRateHz: sampleRateHz)
    let samples = heard.samplesSinceMidnight(sampleRateHz: sampleRateHz) + day - frame % day
    return (heard.rate, samples % day)
  }

  /// The first entry about timecode, and the frame that it is about: a generator that is set anew during the take does
  /// not move what was recorded before.
  var firstTimecode: (TimecodePlace, frame: UInt64)? {
    var place = 0
    while let entry = nextEntry(from: &place) {
      if let value = text.extracting(entry.text).removingPrefix(TimecodePlace.key), let heard = TimecodePlace(value) {
        return (heard, entry.frame)
      }
    }
    return nil
  }

  /// Whether the movie shows the pictures of a time lapse.
  var isLapse: Bool { !entry("time lapse: ").isEmpty }

  /// For a reader of the pairs: the file may begin earlier, with a pre-roll.
  private var timecodeText: TakeRemarks {
    guard let (heard, frame) = firstTimecode else { return TakeRemarks() }
    var text = TakeRemarks(heard.text.bytes)
    if frame > 0 { text.append(" at sample \(frame)" as FixedText<32>) }
    return text
  }

  /// What a person wrote about the take.
  package var remarks: TakeRemarks {
    var remarks = TakeRemarks()
    var place = 0
    while let entry = nextEntry(from: &place) {
      if let remark = text.extracting(entry.text).value(of: Self.remarkKey.utf8Bytes) { remarks.add(remark: remark) }
    }
    return remarks
  }

  package static var remarkKey: StaticString { "note: " }

  /// What a person thinks of the take.
  package var verdict: TakeVerdict { TakeVerdict(name: entry(TakeVerdict.key).bytes) ?? .neither }

  /// The text after `key` in the ledger's first line, up to a semicolon; empty if there is none.
  func origin(_ key: StaticString) -> FixedText<64> {
    var rest = text.firstLine
    while true {
      if let value = rest.removingPrefix(key) {
        return FixedText(value.extracting(first: value.firstIndex(of: ";") ?? value.count))
      }
      guard let separator = rest.firstIndex(of: ";"), separator + 2 <= rest.count else { return "" }
      rest = rest.extracting(droppingFirst: separator + 2)
    }
  }

  /// The recorder that made the take.
  var device: DeviceIdentity? { DeviceIdentity(text: origin(Provenance.lineStart).bytes) }

  /// The measured sample rate, from the ledger's second line: `47999.214 Hz, -16.38 ppm`.
  var measuredRate: FixedText<64> {
    let head = text.firstLine.count + 1
    guard head < text.count,
      let rate = text.extracting(droppingFirst: head).firstLine.removingPrefix("sample rate ")
    else { return "" }
    return FixedText(rate.withoutSpacesAtEnd)
  }

  /// Why the file ended; empty if the ledger does not say.
  package var ending: FixedText<96> {
    guard let start = text.firstLine(startingWith: TakeEnding.lineStart) else { return "" }
    return FixedText(text.extracting(droppingFirst: start + TakeEnding.lineStart.utf8CodeUnitCount).firstLine)
  }

  /// Which file of which take this is.
  /// - Parameter number: the one in the file's name.
  package func part(ofFile number: UInt32) -> TakePart {
    if let part = TakePart(entry(TakePart.entryStart).bytes) { return part }
    let continued = origin("continues ")
    guard !continued.isEmpty else { return TakePart(index: 1, take: number) }
    return TakePart(index: 1, take: TakePart.number(inName: continued.bytes) ?? number)
  }

  /// The name of a channel: the one that a person gave it, or what it is among the others.
  /// - Parameters:
  ///   - channel: counted from 1.
  ///   - count: of all channels.
  package func trackName(_ channel: UInt16, of count: UInt16) -> FixedText<96> {
    let key: FixedText<16> = "track \(channel): "
    let name = entry(key.bytes)
    guard name.isEmpty else { return name }
    switch (count, channel) {
    case (1, _): return "mono"
    case (2, 1): return "left"
    case (2, 2): return "right"
    default: return "channel \(channel)"
    }
  }
}

/// The facts that AIFF, CAF and MOV have as pairs of a name and a text.
extension LedgerFacts {
  static var pairCount: Int { 11 + 8 }

  /// - Parameter index: 0..<``pairCount``.
  /// - Returns: the text is empty if the fact is not known.
  func pair(_ index: Int) -> (name: FixedText<16>, text: TakeRemarks) {
    let names: InlineArray<8, StaticString> = [
      "title", "project", "scene", "take", "tape", "verdict", "position", "deployment",
    ]
    switch index {
    case 0: return ("title", title)
    case 8: return ("timecode", timecodeText)
    case 1..<8:
      let key: FixedText<16> = "\(names[index]): "
      return ("\(names[index])", TakeRemarks(entry(key.bytes).bytes))
    case 9: return ("note", remarks)
    case 10: return ("loudness", TakeRemarks(entry(Loudness.key).bytes))
    default:
      let key: FixedText<16> = "track \(index - 10): "
      return ("track \(index - 10)", TakeRemarks(entry(key.bytes).bytes))
    }
  }

  /// `12A take 3`; empty without a scene.
  private var title: TakeRemarks {
    let (scene, take) = (entry("scene: "), entry("take: "))
    var title = TakeRemarks(scene.bytes)
    if !scene.isEmpty, !take.isEmpty { title.append(" take \(take)" as FixedText<128>) }
    return title
  }
}

struct LedgerMark {
  /// Counted from 1; 0 before the first.
  var number: UInt32 = 0
  /// The sample frame in the file.
  var frame: UInt64 = 0
  var label: FixedText<96> = ""
  /// Where the ledger's next line starts.
  fileprivate var place = 0
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

  /// What follows `key`, which ends with a space; empty if that is all: a ledger has no spaces at the ends of lines.
  @_lifetime(copy self)
  fileprivate func value(of key: Span<UInt8>) -> Span<UInt8>? {
    if starts(with: key) { return extracting(droppingFirst: key.count) }
    return equals(key.extracting(droppingLast: 1)) ? extracting(first: 0) : nil
  }
}
