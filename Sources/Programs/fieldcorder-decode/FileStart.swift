import Base
import CFFmpeg

/// Where a file begins. A tag before a movie, and whatever a server or a program left before any other file, is skipped:
/// FFmpeg would not recognise the file, or would count its offsets from the wrong byte.
enum FileStart {
  /// The bytes that tell a format, at an offset from where its file begins. All are long enough to be found in other
  /// bytes by no chance.
  private struct Mark {
    let text: StaticString
    let offset: Int64
  }

  private static let movie = Mark(text: "ftyp", offset: 4)
  private static let video = Mark(text: "AVI LIST", offset: 8)

  private static let windowsMedia: UInt64 = 0x3026_B275_8E66_CF11
  private static let wave64: UInt64 = 0x7269_6666_2E91_CF11

  private static let longestSearch: Int64 = 0x10000
  private static let nanoseconds: UInt64 = 200_000_000

  /// Skips ID3v2 tags before a movie, or zeros, which FFmpeg takes for a part of it.
  static func skipTags(_ input: UnsafeMutablePointer<FileInput>) {
    guard unsafe !input.pointee.isStream else { return }
    var bytes = unsafe FileBytes(input, forNanoseconds: nanoseconds)
    var place: Int64 = 0
    while bytes.equals("ID3", at: place), let end = FrameWalk.tagEnd(&bytes, at: place, upTo: bytes.byteCount) {
      place = end
    }
    if bytes.bigEndian(at: 0, bytes: 8) == 0 {
      while place < longestSearch, bytes.byte(at: place) == 0 { place += 1 }
      // Three zeros belong to the size of the movie's first box.
      place -= 3
    }
    guard place > 0, isMark(movie, &bytes, place) || isMark(video, &bytes, place) else { return }
    unsafe input.pointee.skipPrefix(byteCount: place)
  }

  /// Skips what is before the first bytes that begin a file.
  /// - Returns: false if there are no such bytes, or none before them.
  static func search(_ input: UnsafeMutablePointer<FileInput>) -> Bool {
    guard unsafe !input.pointee.isStream else { return false }
    var bytes = unsafe FileBytes(input, forNanoseconds: nanoseconds)
    // A tag that is said to be longer than the file: only its header is skipped, and its frames are searched for sound.
    if bytes.equals("ID3", at: 0), FrameWalk.tagEnd(&bytes, at: 0, upTo: bytes.byteCount) == bytes.byteCount {
      unsafe input.pointee.skipPrefix(byteCount: 10)
      return true
    }
    for place in 1..<max(1, min(longestSearch, bytes.byteCount)) where isStart(&bytes, place) {
      unsafe input.pointee.skipPrefix(byteCount: place)
      return true
    }
    return false
  }

  private static func isMark(_ mark: Mark, _ bytes: inout FileBytes, _ place: Int64) -> Bool {
    bytes.equals(mark.text, at: place + mark.offset)
  }

  private static func isStart(_ bytes: inout FileBytes, _ place: Int64) -> Bool {
    switch bytes.byte(at: place) {
    case UInt8(ascii: "O"): return OggPage(&bytes, at: place)?.isFirst ?? false
    case UInt8(ascii: "f"): return FLACDescription(&bytes, at: place) != nil
    case UInt8(ascii: "w"):
      // WavPack 4: its version is 0x402 to 0x410.
      return bytes.equals("wvpk", at: place) && bytes.byte(at: place + 9) == 4
    case UInt8(ascii: "T"): return bytes.equals("TTA1\u{01}\0", at: place)
    case UInt8(ascii: "."): return bytes.equals(".snd\0\0\0", at: place)
    case 0:
      guard let size = bytes.bigEndian(at: place, bytes: 4), size >= 16, size < 0x200 else { return false }
      return isMark(movie, &bytes, place)
    case UInt8(ascii: "R"), UInt8(ascii: "B"):
      return bytes.isRIFF(at: place) && (isMark(video, &bytes, place) || bytes.equals("WAVE", at: place + 8))
    case UInt8(ascii: "F"):
      return bytes.equals("FORM", at: place)
        && (bytes.equals("AIFF", at: place + 8) || bytes.equals("AIFC", at: place + 8))
    case UInt8(ascii: "c"): return bytes.equals("caff\0\u{01}\0\0desc", at: place)
    case 0x30: return bytes.bigEndian(at: place, bytes: 8) == windowsMedia
    case 0x72: return bytes.bigEndian(at: place, bytes: 8) == wave64
    case 0x1A: return isMatroska(&bytes, place)
    default: return false
    }
  }

  /// Matroska's first field, the version, follows the header's size of one or eight bytes.
  static func isMatroska(_ bytes: inout FileBytes, _ place: Int64) -> Bool {
    guard bytes.byte(at: place) == 0x1A, bytes.bigEndian(at: place, bytes: 4) == 0x1A45_DFA3 else { return false }
    return bytes.bigEndian(at: place + 5, bytes: 2) == 0x4286 || bytes.bigEndian(at: place + 12, bytes: 2) == 0x4286
  }

  /// Whether it is a movie without a description of its sound, which comes last: the program that wrote it did not get
  /// so far.
  static func isUndescribedMovie(_ input: UnsafeMutablePointer<FileInput>) -> Bool {
    guard unsafe !input.pointee.isStream else { return false }
    var bytes = unsafe FileBytes(input, forNanoseconds: nanoseconds)
    guard isMark(movie, &bytes, 0) else { return false }
    var place: Int64 = 0
    for _ in 0..<boxLimit where place < bytes.byteCount {
      if bytes.equals("moov", at: place + 4) { return false }
      guard let size = bytes.bigEndian(at: place, bytes: 4) else { return false }
      // 1: a larger size follows. 0: it reaches to the end, or was never filled in.
      guard size != 0 else { return true }
      guard let long = size == 1 ? bytes.bigEndian(at: place + 8, bytes: 8) : size, long >= 8, long < 1 << 60 else {
        return false
      }
      place += Int64(long)
    }
    return place >= bytes.byteCount
  }

  private static let boxLimit = 100
}
