import Base
import CFFmpeg
import Wire

/// Lyrics in the tags of a media file: timed ones before plain ones.
enum LyricsTags {
  /// The longest text that is looked at.
  private static let longestByteCount = 0x40000

  static func extract(
    from file: borrowing SoundFile, _ input: UnsafeMutablePointer<FileInput>, to output: ExtractOutput
  ) -> Extracted {
    var lines = LyricsLines()
    if unsafe ID3Lyrics.read(.synchronised, from: input, of: file, into: &lines) { return lines.write(to: output) }
    var plain: UnsafePointer<CChar>?
    var entry: UnsafePointer<CChar>?
    var index = 0
    repeat {
      unsafe entry = lyrics(in: file, at: index)
      if let entry = unsafe entry {
        lines.removeAll()
        unsafe read(entry, into: &lines)
        if lines.hasInstants { return lines.write(to: output) }
        if unsafe plain == nil { unsafe plain = entry }
      }
      index += 1
    } while unsafe entry != nil
    lines.removeAll()
    if let plain = unsafe plain {
      unsafe read(plain, into: &lines)
    } else if unsafe !ID3Lyrics.read(.plain, from: input, of: file, into: &lines) {
      return .nothing
    }
    return lines.write(to: output)
  }

  /// The `index`-th text that is called lyrics.
  private static func lyrics(in file: borrowing SoundFile, at index: Int) -> UnsafePointer<CChar>? {
    var index = index
    var found: UnsafePointer<CChar>?
    unsafe file.forEachTag { key, value in
      guard unsafe isLyrics(FixedText(cString: key)) else { return true }
      index -= 1
      if index < 0 { unsafe found = value }
      return index >= 0
    }
    return unsafe found
  }

  /// FFmpeg's names: `lyrics-eng` of ID3v2, `lyrics` of MP4, and what comments are called.
  private static func isLyrics(_ key: FixedText<64>) -> Bool {
    var small = FixedText<64>()
    for index in key.bytes.indices {
      let byte = key.bytes[index]
      small.append(byte: byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte)
    }
    return small.bytes.removingPrefix("lyrics") != nil || small == "unsyncedlyrics" || small == "unsynced lyrics"
      || small == "syncedlyrics" || small == "uslt" || small == "wm/lyrics"
  }

  private static func read(_ value: UnsafePointer<CChar>, into lines: inout LyricsLines) {
    let count = unsafe strnlen(value, longestByteCount)
    // Sound: the tag lives as long as the file.
    unsafe value.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
      let span = unsafe Span(_unsafeStart: bytes, count: count)
      var text = LyricsText(span)
      text.read(into: &lines)
    }
  }
}
