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
      let tailEnd = unsafe input.pointee.parts.current?.tailEnd ?? bytes.byteCount
      let tail = file.mayHaveTailTags ? TailTags(&bytes, upTo: tailEnd) : nil
      if let place = tail?.ape { APETexts.read(&bytes, place, into: &found) }
      if file.isMovie { MovieTexts.read(&bytes, into: &found) }
      found.add(file)
      if let place = tail?.id3 { unsafe ID3Texts.read(input, at: place.start, into: &found) }
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
    found.isDecoded ? FixedText(found.bytes.bytes) : text(found.bytes)
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

  /// Stores a text, unless the field has one already.
  mutating func note(_ field: Field, _ text: FoundText) {
    guard texts[field.rawValue].isEmpty else { return }
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
    unsafe add(.albumArtist, file.tag("album_artist"))
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
      text.append(unsafe UInt8(bitPattern: next.pointee))
      unsafe next += 1
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
    guard let encoding = content.next(), encoding < 4 else { return found }
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

/// The texts of an APE tag, whose values are UTF-8 in version 2 and separated by zeros.
enum APETexts {
  private static let itemLimit = 1000

  static func read(_ bytes: inout FileBytes, _ place: TailTags.Place, into found: inout FoundTags) {
    var next = place.start
    for _ in 0..<itemLimit where next + 9 < place.end {
      guard let size = bytes.littleEndian(at: next, bytes: 4), let flags = bytes.littleEndian(at: next + 4, bytes: 4)
      else { return }
      var key = FixedText<24>()
      next += 8
      while let byte = bytes.byte(at: next), byte != 0, next < place.end {
        key.append(byte: byte)
        next += 1
      }
      let start = next + 1
      next = start + Int64(size)
      guard next <= place.end else { return }
      // Other items are binary, or links.
      guard flags >> 1 & 3 == 0, let field = field(key) else { continue }
      found.note(field, text(&bytes, start..<next))
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

/// The texts of an MP4 file, each with one or more values (the list that iTunes writes).
enum MovieTexts {
  private static let boxLimit = 1000

  private struct Box {
    let name: UInt64
    let content: Range<Int64>
  }

  static func read(_ bytes: inout FileBytes, into found: inout FoundTags) {
    var place = 0..<bytes.byteCount
    // "moov", "udta", "meta", "ilst".
    let path: InlineArray<4, UInt64> = [0x6D6F_6F76, 0x7564_7461, 0x6D65_7461, 0x696C_7374]
    for index in path.indices {
      let name = path[index]
      guard let box = child(&bytes, named: name, of: place) else { return }
      // In MP4, unlike in QuickTime, this box has a version and flags before its content.
      let hasVersion = name == 0x6D65_7461 && box.count >= 4 && bytes.bigEndian(at: box.lowerBound, bytes: 4) == 0
      place = box.lowerBound + (hasVersion ? 4 : 0)..<box.upperBound
    }
    // "©nam", "©ART", "aART", "©alb".
    read(&bytes, .title, 0xA96E_616D, of: place, into: &found)
    read(&bytes, .artist, 0xA941_5254, of: place, into: &found)
    read(&bytes, .albumArtist, 0x6141_5254, of: place, into: &found)
    read(&bytes, .album, 0xA961_6C62, of: place, into: &found)
  }

  private static func read(
    _ bytes: inout FileBytes, _ field: FoundTags.Field, _ name: UInt64, of list: Range<Int64>,
    into found: inout FoundTags
  ) {
    guard let item = child(&bytes, named: name, of: list) else { return }
    var text = FoundText()
    var place = item.lowerBound
    for _ in 0..<boxLimit {
      guard let box = box(&bytes, at: place, in: item) else { break }
      place = box.content.upperBound
      // A non-empty "data" box of type UTF-8.
      guard box.name == 0x6461_7461, bytes.bigEndian(at: box.content.lowerBound, bytes: 4) == 1,
        box.content.count > 8
      else { continue }
      text.separate()
      for index in box.content.lowerBound + 8..<box.content.upperBound where !text.bytes.isTruncated {
        text.append(bytes.byte(at: index) ?? 0x20)
      }
    }
    found.note(field, text)
  }

  private static func child(_ bytes: inout FileBytes, named name: UInt64, of parent: Range<Int64>) -> Range<Int64>? {
    var place = parent.lowerBound
    for _ in 0..<boxLimit {
      guard let box = box(&bytes, at: place, in: parent) else { return nil }
      if box.name == name { return box.content }
      place = box.content.upperBound
    }
    return nil
  }

  private static func box(_ bytes: inout FileBytes, at place: Int64, in parent: Range<Int64>) -> Box? {
    guard place + 8 <= parent.upperBound, let size = bytes.bigEndian(at: place, bytes: 4),
      let name = bytes.bigEndian(at: place + 4, bytes: 4)
    else { return nil }
    var start = place + 8
    var end = place + Int64(size)
    if size == 1, let large = bytes.bigEndian(at: start, bytes: 8), large < 1 << 62 {
      start += 8
      end = place + Int64(large)
    } else if size == 0 {
      end = parent.upperBound
    }
    guard end >= start, end <= parent.upperBound else { return nil }
    return Box(name: name, content: start..<end)
  }
}

extension SoundFile {
  /// Whether generic tags, which can be appended to any file, may follow the sound.
  var mayHaveTailTags: Bool {
    isBare || isKind("ape") || isKind("mpc") || isKind("mpc8") || isKind("tta") || isKind("tak") || isKind("wv")
  }
}

extension SoundFile {
  /// 10,000 times the disc's number plus the track's; 0 if there is no track number.
  var albumPlace: UInt32 {
    let track = unsafe Self.number(tag("track"))
    return track == 0 ? 0 : unsafe Self.number(tag("disc")) * 10_000 + track
  }

  /// Parses `3`, or `3/12` for the third of twelve; 0 if it is not a number below 10,000.
  private static func number(_ value: UnsafePointer<CChar>?) -> UInt32 {
    guard let value = unsafe value else { return 0 }
    let text = unsafe FixedText<24>(cString: value)
    let digits = text.bytes.trimmed
    var end = 0
    while end < digits.count, digits[end] != UInt8(ascii: "/"), digits[end] != UInt8(ascii: " ") { end += 1 }
    let number = digits.extracting(first: end).parseInteger(as: UInt32.self) ?? 0
    return number < 10_000 ? number : 0
  }
}
