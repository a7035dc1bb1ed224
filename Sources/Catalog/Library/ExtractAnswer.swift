import Base
import Wire

/// An answer that the decoder process must extract from a file.
struct ExtractAnswer {
  let path: FixedText<256>
  /// What is requested now: lyrics first from the file beside the media file.
  private(set) var extract: Extract
  /// Whether that file is now looked for under a name as DOS and Windows wrote it.
  private var isInCapitals = false
  /// Whether it has been requested from the process.
  var isAsked = false
  let positionSeconds: Double
  /// Whether it is the picture for the display, for which nobody waits.
  let isForDisplay: Bool

  init(
    _ extract: Extract, of path: FixedText<256>, positionSeconds: Double = .nan, isForDisplay: Bool = false
  ) {
    self.path = path
    self.extract = extract
    self.positionSeconds = positionSeconds
    self.isForDisplay = isForDisplay
  }

  /// The file to examine.
  var source: FixedText<256> {
    guard extract == .lyricsText else { return path }
    var end = path.byteCount
    while end > 0, path.bytes[end - 1] != UInt8(ascii: "."), path.bytes[end - 1] != UInt8(ascii: "/") { end -= 1 }
    if end == 0 || path.bytes[end - 1] == UInt8(ascii: "/") { end = path.byteCount + 1 }
    let ending: StaticString = isInCapitals ? "LRC" : "lrc"
    return "\(FixedText<256>(path.bytes.extracting(first: end - 1))).\(ending)"
  }

  /// Falls back to the media file if there was nothing beside it.
  /// - Returns: false if the media file was examined already.
  mutating func fallBack() -> Bool {
    guard extract == .lyricsText else { return false }
    if isInCapitals { extract = .lyrics }
    isInCapitals = true
    isAsked = false
    return true
  }

  /// Why there is no answer.
  var refusal: LibraryRefusal { extract == .artwork ? .noArtwork(path) : .noLyrics(path) }
}

/// The lines of lyrics in order, each with whether it is sung at a position.
struct LyricsLines {
  private var reader: LyricsReader
  private var next: LyricsLine?
  private var hasBegun = false
  private let milliseconds: Double
  /// Whether a note that there is more must follow the last line.
  private var isCut: Bool

  init(byteCount: UInt32, isCut: Bool, positionSeconds: Double) {
    self.isCut = isCut
    reader = LyricsReader(byteCount: Int(byteCount))
    milliseconds = positionSeconds * 1000
  }

  /// - Returns: nil after the last line.
  mutating func take(from memory: UnsafeRawBufferPointer) -> (line: LyricsLine, isNow: Bool)? {
    if !hasBegun {
      hasBegun = true
      next = unsafe reader.next(in: memory)
    }
    guard let line = next else { return takeNote().map { ($0, false) } }
    next = unsafe reader.next(in: memory)
    guard let start = line.milliseconds, Double(start) <= milliseconds else { return (line, false) }
    return (line, next?.milliseconds.map { Double($0) > milliseconds } ?? true)
  }

  private mutating func takeNote() -> LyricsLine? {
    guard isCut else { return nil }
    isCut = false
    return LyricsLine(milliseconds: nil, text: "(there is more: only the first 120,000 bytes are shown)")
  }
}
