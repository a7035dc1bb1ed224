import Base

/// The tags after a file's sound, found from the end: ID3v1, Lyrics3, APEv2, ID3v2.4 with a footer, in any order.
struct TailTags {
  /// A tag that follows the sound: its content, without header and footer.
  struct Place {
    var start: Int64
    var end: Int64
  }

  /// The offset where the tags begin.
  private(set) var soundEnd: Int64
  /// The items of an APE tag.
  private(set) var ape: Place?
  /// The lyrics in a Lyrics3 tag.
  private(set) var lyrics: Place?
  /// The 128 bytes of an ID3v1 tag.
  private(set) var old: Place?
  /// An ID3v2 tag, from its header on.
  private(set) var id3: Place?

  /// Files that several programs tagged may hold more than one of a kind.
  private static let mostTags = 16

  init(_ bytes: inout FileBytes, upTo end: Int64) {
    soundEnd = end
    for _ in 0..<Self.mostTags where takeLast(&bytes) == false { break }
  }

  private mutating func takeLast(_ bytes: inout FileBytes) -> Bool {
    let before = soundEnd
    takeOld(&bytes)
    takeLyrics(&bytes)
    takeAPE(&bytes)
    takeID3(&bytes)
    return soundEnd < before
  }

  private mutating func takeOld(_ bytes: inout FileBytes) {
    guard bytes.equals("TAG", at: soundEnd - 128) else { return }
    if old == nil { old = Place(start: soundEnd - 128, end: soundEnd) }
    soundEnd -= 128
    // An extension that some programs put before it, for longer titles.
    if bytes.equals("TAG+", at: soundEnd - 227) { soundEnd -= 227 }
  }

  /// Lyrics3 2.00 has its size before its end mark; 1.00 has at most 5,100 bytes.
  private mutating func takeLyrics(_ bytes: inout FileBytes) {
    let end = soundEnd
    if bytes.equals("LYRICS200", at: end - 9) {
      guard let size = Self.decimal(&bytes, end - 15..<end - 9), bytes.equals("LYRICSBEGIN", at: end - 15 - size)
      else { return }
      soundEnd = end - 15 - size
      readFields(&bytes, soundEnd + 11..<end - 15)
    } else if bytes.equals("LYRICSEND", at: end - 9) {
      for start in stride(from: end - 20, through: max(0, end - 5120), by: -1)
      where bytes.equals("LYRICSBEGIN", at: start) {
        soundEnd = start
        if lyrics == nil { lyrics = Place(start: start + 11, end: end - 9) }
        return
      }
    }
  }

  /// Fields of Lyrics3 2.00: a name of three letters, five digits of its length, and a text.
  private mutating func readFields(_ bytes: inout FileBytes, _ fields: Range<Int64>) {
    var place = fields.lowerBound
    while place + 8 <= fields.upperBound, let size = Self.decimal(&bytes, place + 3..<place + 8) {
      let start = place + 8
      if lyrics == nil, bytes.equals("LYR", at: place) {
        lyrics = Place(start: start, end: min(start + size, fields.upperBound))
      }
      place = start + size
    }
  }

  private static func decimal(_ bytes: inout FileBytes, _ digits: Range<Int64>) -> Int64? {
    var value: Int64 = 0
    for place in digits {
      guard let byte = bytes.byte(at: place), byte.isDigit else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    return value
  }

  /// APEv2, and APEv1, which has no header: the footer's size counts the footer, but not the header.
  private mutating func takeAPE(_ bytes: inout FileBytes) {
    guard bytes.equals("APETAGEX", at: soundEnd - 32), let size = bytes.littleEndian(at: soundEnd - 20, bytes: 4),
      let flags = bytes.littleEndian(at: soundEnd - 12, bytes: 4), size >= 32, Int64(size) <= soundEnd
    else { return }
    let items = Place(start: soundEnd - Int64(size), end: soundEnd - 32)
    if ape == nil { ape = items }
    let hasHeader = flags & 0x8000_0000 != 0 && bytes.equals("APETAGEX", at: items.start - 32)
    soundEnd = hasHeader ? items.start - 32 : items.start
  }

  /// The items of an APE tag with a header, which some programs write before the sound.
  static func leadingAPE(_ bytes: inout FileBytes) -> Place? {
    guard bytes.equals("APETAGEX", at: 0), let size = bytes.littleEndian(at: 12, bytes: 4), size >= 32 else {
      return nil
    }
    return Place(start: 32, end: Int64(size))
  }

  private mutating func takeID3(_ bytes: inout FileBytes) {
    guard bytes.equals("3DI", at: soundEnd - 10), let size = bytes.safeNumber(at: soundEnd - 4) else { return }
    let start = soundEnd - 20 - size
    guard bytes.equals("ID3", at: start) else { return }
    if id3 == nil { id3 = Place(start: start, end: soundEnd) }
    soundEnd = start
  }
}
