/// A fragment of a growing movie, found by its boxes alone.
struct RecordedFragment {
  /// `moof` and `mdat`.
  var range: Range<Int>
  /// The `moof` and the head of the `mdat`.
  var header: Range<Int>
  var pictures: [[UInt8]] = []
  var sound: [UInt8] = []

  /// The fragments of an undamaged movie, with pictures and sound in each.
  static func all(of content: [UInt8]) -> [RecordedFragment] {
    var fragments: [RecordedFragment] = []
    var start = 0
    while start + 8 <= content.count, big32(content, start) >= 8 {
      let end = start + big32(content, start)
      if type(content, start) == "moof", end + 8 <= content.count {
        fragments.append(RecordedFragment(content, start: start, mediaStart: end))
      }
      start = end
    }
    return fragments
  }

  private init(_ content: [UInt8], start: Int, mediaStart: Int) {
    let end = mediaStart + Self.big32(content, mediaStart)
    range = start..<end
    header = start..<mediaStart + 8
    // `moof` and `mfhd` have 24 bytes; in a `traf` the count is at offset 56, and the entries begin at 64.
    let video = start + 24
    var position = mediaStart + 8
    for index in 0..<Self.big32(content, video + 56) {
      let byteCount = Self.big32(content, video + 64 + index * 8 + 4)
      pictures.append(Array(content[position..<position + byteCount]))
      position += byteCount
    }
    sound = Array(content[position..<end])
  }

  private static func big32(_ content: [UInt8], _ offset: Int) -> Int {
    content[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func type(_ content: [UInt8], _ offset: Int) -> String {
    String(decoding: content[offset + 4..<offset + 8], as: UTF8.self)
  }
}
