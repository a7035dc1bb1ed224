import Base

/// The texts of an MP4 file: the list that iTunes writes, each with one or more values, or those of telephones.
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
      if name == 0x7564_7461 { readPhone(&bytes, place, into: &found) }
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
      // A non-empty "data" box of type UTF-8 or UTF-16.
      guard box.name == 0x6461_7461, box.content.count > 8,
        let kind = bytes.bigEndian(at: box.content.lowerBound, bytes: 4), kind == 1 || kind == 2
      else { continue }
      text.separate()
      append(&bytes, box.content.lowerBound + 8..<box.content.upperBound, isWide: kind == 2, to: &text)
    }
    found.note(field, text)
  }

  /// Those of a telephone's file (3GPP TS 26.244, 8.2): "titl", "perf", "auth" and "albm".
  private static func readPhone(_ bytes: inout FileBytes, _ list: Range<Int64>, into found: inout FoundTags) {
    readPhone(&bytes, .title, 0x7469_746C, of: list, into: &found)
    readPhone(&bytes, .artist, 0x7065_7266, of: list, into: &found)
    readPhone(&bytes, .artist, 0x6175_7468, of: list, into: &found)
    readPhone(&bytes, .album, 0x616C_626D, of: list, into: &found)
  }

  private static func readPhone(
    _ bytes: inout FileBytes, _ field: FoundTags.Field, _ name: UInt64, of list: Range<Int64>,
    into found: inout FoundTags
  ) {
    guard let item = child(&bytes, named: name, of: list), item.count > 6 else { return }
    // After the version, flags and the language; a byte order mark tells UTF-16.
    let start = item.lowerBound + 6
    let isWide = bytes.bigEndian(at: start, bytes: 2) == 0xFEFF
    var text = FoundText()
    append(&bytes, start + (isWide ? 2 : 0)..<item.upperBound, isWide: isWide, to: &text)
    found.note(field, text)
  }

  /// Adds a text up to its zero.
  private static func append(_ bytes: inout FileBytes, _ range: Range<Int64>, isWide: Bool, to text: inout FoundText) {
    var decoder = UTF16Decoder(isBigEndian: true)
    text.isDecoded = isWide
    for place in range where !text.bytes.isTruncated {
      guard let byte = bytes.byte(at: place) else { return }
      if !isWide {
        guard byte != 0 else { return }
        text.append(byte)
      } else if let scalar = decoder.next(byte) {
        guard scalar.value != 0 else { return }
        text.append(scalar)
      }
    }
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
