/// The media of an ordinary movie, found through its tables alone by a reader that shares no code with the writer.
package struct FinishedMovie {
  /// Each picture's bytes, in display order.
  package private(set) var pictures: [[UInt8]] = []
  /// When each picture is shown, in ticks of the audio sample rate.
  package private(set) var pictureTicks: [UInt64] = []
  /// The end of the last picture, in the same ticks.
  package private(set) var pictureEndTicks: UInt64 = 0
  /// All audio, as stored in the file.
  package private(set) var audio: [UInt8] = []
  /// The pictures that can be decoded without earlier ones, counted from 0; nil if all can.
  package private(set) var keyframes: [Int]?
  /// When each chapter begins, in the same ticks, and its text. Only of a text track that is not enabled: players would
  /// show another one in the picture.
  package private(set) var chapters: [(ticks: UInt64, text: String)] = []
  /// The end of the last one.
  package private(set) var chaptersEndTicks: UInt64 = 0
  /// How many tracks name the chapters' track as theirs.
  package var chapterReferenceCount: Int { chapterReferences.count { $0 == chapterTrack } }
  private var chapterTrack = 0
  private var chapterReferences: [Int] = []
  private let content: [UInt8]

  /// Nil if the file is not an ordinary movie to its last byte: `ftyp`, one `mdat`, `moov`.
  package init?(_ content: [UInt8]) {
    self.content = content
    let boxes = Self.boxes(content, 0..<content.count)
    guard boxes.map(\.type) == ["ftyp", "mdat", "moov"], boxes[2].range.upperBound == content.count else { return nil }
    for track in Self.boxes(content, boxes[2].range) where track.type == "trak" { read(track.range) }
  }

  private mutating func read(_ track: Range<Int>) {
    guard let media = find(["mdia"], track), let table = find(["minf", "stbl"], media),
      let handler = find(["hdlr"], media)
    else { return }
    let isVideo = text(handler.lowerBound + 8) == "vide"
    let durations = runs(table)
    let samples = sampleOffsets(table)
    if isVideo {
      pictures = samples.map { Array(content[$0]) }
      keyframes = find(["stss"], table).map { box in
        (0..<big32(box.lowerBound + 4)).map { big32(box.lowerBound + 8 + $0 * 4) - 1 }
      }
      pictureEndTicks = durations.reduce(0) { $0 + UInt64($1) }
      pictureTicks = durations.reduce(into: [0]) { $0.append($0[$0.count - 1] + UInt64($1)) }.dropLast()
    } else if text(handler.lowerBound + 8) == "soun" {
      audio = samples.reduce(into: []) { $0 += content[$1] }
    } else if text(handler.lowerBound + 8) == "text", let header = find(["tkhd"], track),
      big32(header.lowerBound) & 1 == 0
    {
      chapterTrack = big32(header.lowerBound + 12)
      let ticks = durations.reduce(into: [UInt64(0)]) { $0.append($0[$0.count - 1] + UInt64($1)) }
      chaptersEndTicks = ticks[ticks.count - 1]
      chapters = zip(ticks, samples).map { start, sample in
        let text = content[sample].dropFirst(2).prefix(Self.big(content, sample.lowerBound, 2))
        return (start, String(decoding: text, as: UTF8.self))
      }
    }
    if let reference = find(["tref", "chap"], track) { chapterReferences.append(big32(reference.lowerBound)) }
  }

  private func runs(_ table: Range<Int>) -> [Int] {
    guard let box = find(["stts"], table) else { return [] }
    return (0..<big32(box.lowerBound + 4)).flatMap { index in
      [Int](
        repeating: big32(box.lowerBound + 12 + index * 8), count: big32(box.lowerBound + 8 + index * 8))
    }
  }

  /// The position of each sample; samples of a common size give one range per chunk.
  private func sampleOffsets(_ table: Range<Int>) -> [Range<Int>] {
    guard let sizes = find(["stsz"], table), let chunks = find(["stco"], table) ?? find(["co64"], table),
      let runs = find(["stsc"], table)
    else { return [] }
    let common = big32(sizes.lowerBound + 4)
    let isWide = text(chunks.lowerBound - 4) == "co64"
    var result: [Range<Int>] = []
    var samplesPerChunk = 0
    var run = 0
    var sampleCount = 0
    for chunk in 0..<big32(chunks.lowerBound + 4) {
      if run < big32(runs.lowerBound + 4), big32(runs.lowerBound + 8 + run * 12) == chunk + 1 {
        samplesPerChunk = big32(runs.lowerBound + 12 + run * 12)
        run += 1
      }
      var offset = Self.big(content, chunks.lowerBound + 8 + chunk * (isWide ? 8 : 4), isWide ? 8 : 4)
      sampleCount += samplesPerChunk
      for _ in 0..<(common > 0 ? 1 : samplesPerChunk) {
        let size = common > 0 ? common * samplesPerChunk : big32(sizes.lowerBound + 12 + result.count * 4)
        result.append(offset..<offset + size)
        offset += size
      }
    }
    return sampleCount == big32(sizes.lowerBound + 8) ? result : []
  }

  private func find(_ path: [String], _ range: Range<Int>) -> Range<Int>? {
    path.reduce(Optional(range)) { range, type in
      range.flatMap { Self.boxes(content, $0).first { $0.type == type }?.range }
    }
  }

  private func big32(_ offset: Int) -> Int { Self.big(content, offset, 4) }

  private func text(_ offset: Int) -> String { String(decoding: content[offset..<offset + 4], as: UTF8.self) }

  private static func big(_ content: [UInt8], _ offset: Int, _ count: Int) -> Int {
    content[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The boxes in `range` with their contents.
  private static func boxes(_ content: [UInt8], _ range: Range<Int>) -> [(type: String, range: Range<Int>)] {
    var result: [(String, Range<Int>)] = []
    var start = range.lowerBound
    while start + 8 <= range.upperBound {
      var size = big(content, start, 4)
      var head = 8
      if size == 1 && start + 16 <= range.upperBound {
        size = big(content, start + 8, 8)
        head = 16
      }
      guard size >= head, start + size <= range.upperBound else { return result }
      result.append((String(decoding: content[start + 4..<start + 8], as: UTF8.self), start + head..<start + size))
      start += size
    }
    return result
  }
}
