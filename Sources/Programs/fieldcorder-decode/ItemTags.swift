import Base
import CFFmpeg
import Wire

/// Title and artist of a file, or of its open part.
///
/// FFmpeg ignores APE tags after MP3, all but one of several artists, and the charset of a text. So ID3v2, APE, MP4 and
/// ID3v1 are read here, in this order, and all others through FFmpeg.
struct ItemTags {
  private(set) var title: FixedText<128> = ""
  private(set) var artist: FixedText<128> = ""

  init(_ file: borrowing SoundFile, _ input: UnsafeMutablePointer<FileInput>) {
    var found = FoundTags()
    if unsafe !input.pointee.isStream {
      unsafe ID3Texts.read(input, into: &found)
      var bytes = unsafe FileBytes(input, forNanoseconds: Self.nanoseconds)
      let part = unsafe input.pointee.parts.current
      let tail = file.mayHaveTailTags ? TailTags(&bytes, upTo: part?.tailEnd ?? bytes.byteCount) : nil
      // One without a footer is found from the front only.
      if let place = tail?.id3?.start ?? part?.end { unsafe ID3Texts.read(input, at: place, into: &found) }
      let leading = unsafe input.pointee.parts.index == 0 ? TailTags.leadingAPE(&bytes) : nil
      if let place = leading ?? tail?.ape { APETexts.read(&bytes, place, into: &found) }
      if file.isMovie { MovieTexts.read(&bytes, into: &found) }
      found.add(file)
      if let place = tail?.old { ID3Texts.readOld(&bytes, place, into: &found) }
    } else {
      found.add(file)
    }
    self.init(found)
  }

  /// The tags that a stream has from this packet on; nil if they are those from before.
  init?(_ packet: UnsafeMutablePointer<AVPacket>) {
    var byteCount = 0
    var tags: OpaquePointer?
    guard let bytes = unsafe av_packet_get_side_data(packet, AV_PKT_DATA_STRINGS_METADATA, &byteCount),
      unsafe av_packet_unpack_dictionary(bytes, byteCount, &tags) >= 0
    else { return nil }
    defer { unsafe av_dict_free(&tags) }
    var found = FoundTags()
    unsafe found.add(tags)
    self.init(found)
  }

  private init(_ found: FoundTags) {
    let charset = found.charset
    title = charset.text(found[.title])
    artist = charset.text(found[found[.artist].isEmpty ? .albumArtist : .artist])
  }

  /// The time limit; a card answers in less. Tags not read by then are left out.
  private static let nanoseconds: UInt64 = 500_000_000
}

/// A text of a tag: in UTF-8, or in a charset that the tag does not state.
struct FoundText {
  /// Enough for 128 bytes of UTF-8, whatever the original charset.
  private(set) var bytes = FixedText<256>()
  var isDecoded = false

  var isEmpty: Bool { bytes.isEmpty }

  mutating func append(_ scalar: Unicode.Scalar) { bytes.append(scalar: scalar) }
  mutating func append(_ byte: UInt8) { bytes.append(byte: byte) }

  /// Adds a separator between two values.
  mutating func separate() {
    if !isEmpty { bytes.append("; ") }
  }
}

extension TagCharset {
  fileprivate func text(_ found: FoundText) -> FixedText<128> {
    var text: FixedText<128> = found.isDecoded ? FixedText(found.bytes.bytes) : text(found.bytes)
    if found.isDecoded || self == .utf8, let meaning = TagSurvey.meaning(of: text.bytes) { text = meaning }
    guard let rest = text.bytes.removingPrefix("\u{FEFF}") else { return text }
    return FixedText(rest)
  }
}

/// The first text found for each field.
struct FoundTags {
  enum Field: Int {
    case title
    case artist
    case albumArtist
    case album
  }

  private var texts = InlineArray<4, FoundText>(repeating: FoundText())

  subscript(field: Field) -> FoundText { texts[field.rawValue] }

  /// Stores a text, unless it is blank, or the field has one already.
  mutating func note(_ field: Field, _ text: FoundText) {
    guard texts[field.rawValue].isEmpty, !text.bytes.bytes.trimmed.isEmpty else { return }
    texts[field.rawValue] = text
  }

  /// The charset of all texts of a file that do not state their own.
  var charset: TagCharset {
    var survey = TagSurvey()
    for index in texts.indices where !texts[index].isDecoded { survey.add(texts[index].bytes.bytes) }
    return survey.charset
  }

  /// Adds what FFmpeg read. It takes texts for UTF-8 that may not be.
  mutating func add(_ file: borrowing SoundFile) {
    unsafe add(.title, file.tag("title"))
    unsafe add(.artist, file.tag("artist") ?? file.tag("author"))
    unsafe add(.albumArtist, file.tag("album_artist") ?? file.tag("album artist"))
    unsafe add(.album, file.tag("album"))
  }

  /// Adds those of FFmpeg's tags that may have changed.
  mutating func add(_ tags: OpaquePointer?) {
    unsafe add(.title, Self.value("title", of: tags))
    unsafe add(.artist, Self.value("artist", of: tags))
  }

  private static func value(_ key: StaticString, of tags: OpaquePointer?) -> UnsafePointer<CChar>? {
    unsafe av_dict_get(tags, key.cString, nil, 0).map { unsafe UnsafePointer($0.pointee.value) }
  }

  private mutating func add(_ field: Field, _ value: UnsafePointer<CChar>?) {
    guard var next = unsafe value else { return }
    var text = FoundText()
    while unsafe next.pointee != 0, !text.bytes.isTruncated {
      let byte = unsafe UInt8(bitPattern: next.pointee)
      text.append(byte)
      unsafe next += 1
      // FFmpeg joins several artists without a space.
      let isBetween = byte == UInt8(ascii: ";") && field != .title
      if isBetween, unsafe next.pointee != 0 && next.pointee != 0x20 { text.append(UInt8(ascii: " ")) }
    }
    note(field, text)
  }
}

/// The texts of ID3v2 and ID3v1 tags.
enum ID3Texts {
  /// - Parameter place: where the tag begins, if not at the open part.
  static func read(_ input: UnsafeMutablePointer<FileInput>, at place: Int64? = nil, into found: inout FoundTags) {
    guard var frames = unsafe ID3Frames(input, at: place) else { return }
    while let frame = frames.next() {
      guard let field = field(frame.name) else { continue }
      var content = frame.content
      found.note(field, text(&content))
    }
  }

  /// TIT2, TPE1, TPE2 and TALB, or TT2, TP1, TP2 and TAL before version 3.
  private static func field(_ name: UInt32) -> FoundTags.Field? {
    switch name {
    case 0x5449_5432, 0x5454_3200: .title
    case 0x5450_4531, 0x5450_3100: .artist
    case 0x5450_4532, 0x5450_3200: .albumArtist
    case 0x5441_4C42, 0x5441_4C00: .album
    default: nil
    }
  }

  /// Version 4 separates several values by a zero.
  private static func text(_ content: inout TagBytes) -> FoundText {
    var found = FoundText()
    guard let encoding = encoding(of: &content) else { return found }
    found.isDecoded = encoding == 1 || encoding == 2
    var decoder = TagText(encoding, of: content)
    var isBetween = false
    while !found.bytes.isTruncated {
      guard found.isDecoded else {
        guard let byte = content.next() else { break }
        take(byte == 0, &isBetween, &found) { $0.append(byte) }
        continue
      }
      guard let scalar = decoder.next(&content) else { break }
      take(scalar.value == 0, &isBetween, &found) { $0.append(scalar) }
    }
    return found
  }

  /// The encoding that a text begins with, unless the text shows that it has another one.
  private static func encoding(of content: inout TagBytes) -> UInt8? {
    let whole = content
    guard let stated = content.next() else { return nil }
    guard stated < 4 else {
      content = whole
      return stated >= 0x20 ? 0 : nil
    }
    var rest = content
    guard let first = rest.next(), let second = rest.next() else { return stated }
    let hasMark = first ^ second == 1 && first >= 0xFE
    if stated == 0, hasMark { return 1 }
    return stated != 1 && stated != 2 || hasMark || !isBytes(content) ? stated : 0
  }

  /// Whether a text that is said to be in UTF-16 is in UTF-8.
  private static func isBytes(_ content: TagBytes) -> Bool {
    var rest = content
    var decoder = UTF8Decoder()
    var isOver = false
    while let byte = rest.next() {
      guard byte != 0 else {
        isOver = true
        continue
      }
      if isOver || byte < 0x20 { return false }
      if decoder.next(byte) == UTF8Decoder.replacement { return false }
    }
    return true
  }

  private static func take(
    _ isZero: Bool, _ isBetween: inout Bool, _ found: inout FoundText, _ append: (inout FoundText) -> Void
  ) {
    if !isZero {
      if isBetween { found.separate() }
      append(&found)
    }
    isBetween = isZero
  }

  /// ID3v1: fields of 30 bytes, padded with zeros or spaces.
  static func readOld(_ bytes: inout FileBytes, _ place: TailTags.Place, into found: inout FoundTags) {
    readOld(&bytes, .title, at: place.start + 3, into: &found)
    readOld(&bytes, .artist, at: place.start + 33, into: &found)
    readOld(&bytes, .album, at: place.start + 63, into: &found)
  }

  private static func readOld(
    _ bytes: inout FileBytes, _ field: FoundTags.Field, at start: Int64, into found: inout FoundTags
  ) {
    var text = FoundText()
    var spaceCount = 0
    for place in start..<start + 30 {
      guard let byte = bytes.byte(at: place), byte != 0 else { break }
      guard byte != UInt8(ascii: " ") else {
        spaceCount += 1
        continue
      }
      for _ in 0..<spaceCount { text.append(UInt8(ascii: " ")) }
      spaceCount = 0
      text.append(byte)
    }
    found.note(field, text)
  }
}

/// The items of an APE tag, after the sound or before it.
struct APEItems {
  private static let limit = 1000

  private var next: Int64
  private let end: Int64
  private var count = 0

  /// - Returns: nil if there is no such tag.
  init?(_ bytes: inout FileBytes, _ tail: TailTags?) {
    guard let place = TailTags.leadingAPE(&bytes) ?? tail?.ape else { return nil }
    self.init(place)
  }

  init(_ place: TailTags.Place) {
    next = place.start
    end = place.end
  }

  /// - Returns: nil after the last.
  mutating func next(_ bytes: inout FileBytes) -> (key: FixedText<24>, isText: Bool, content: Range<Int64>)? {
    guard count < Self.limit, next + 9 < end, let size = bytes.littleEndian(at: next, bytes: 4),
      let flags = bytes.littleEndian(at: next + 4, bytes: 4)
    else { return nil }
    count += 1
    var key = FixedText<24>()
    next += 8
    while let byte = bytes.byte(at: next), byte != 0, next < end {
      key.append(byte: byte)
      next += 1
    }
    let start = next + 1
    next = start + Int64(size)
    // Other items than texts are binary, or links.
    return next <= end ? (key, flags >> 1 & 3 == 0, start..<next) : nil
  }
}

/// The texts of an APE tag, whose values are UTF-8 in version 2 and separated by zeros.
enum APETexts {
  static func read(_ bytes: inout FileBytes, _ place: TailTags.Place, into found: inout FoundTags) {
    var items = APEItems(place)
    while let item = items.next(&bytes) {
      guard item.isText, let field = field(item.key) else { continue }
      found.note(field, text(&bytes, item.content))
    }
  }

  private static func field(_ key: FixedText<24>) -> FoundTags.Field? {
    let key = key.bytes
    if key.equals(ignoringCase: ("title" as StaticString).utf8Bytes) { return .title }
    if key.equals(ignoringCase: ("artist" as StaticString).utf8Bytes) { return .artist }
    if key.equals(ignoringCase: ("album artist" as StaticString).utf8Bytes) { return .albumArtist }
    return key.equals(ignoringCase: ("album" as StaticString).utf8Bytes) ? .album : nil
  }

  private static func text(_ bytes: inout FileBytes, _ range: Range<Int64>) -> FoundText {
    var text = FoundText()
    var isBetween = false
    for place in range {
      guard let byte = bytes.byte(at: place), !text.bytes.isTruncated else { break }
      if byte != 0 {
        if isBetween { text.separate() }
        text.append(byte)
      }
      isBetween = byte == 0
    }
    return text
  }
}
