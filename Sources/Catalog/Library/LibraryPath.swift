import Base
import Record

/// What a path in the data folder tells about the file, and the order of files.
enum LibraryPath {
  /// The kind of file; nil if the library ignores it because of its folder or its extension.
  static func kind(of path: Span<UInt8>) -> MediaKind? {
    guard let kind = root(of: path) else { return nil }
    switch kind {
    case .audio: return hasExtension(path, in: "aif aifc aiff caf flac wav") ? kind : nil
    case .video: return hasExtension(path, in: "mov mp4") ? kind : nil
    case .photo: return hasExtension(path, in: "jpeg jpg") ? kind : nil
    case .music: return mayBePlayed(path) ? kind : nil
    }
  }

  /// Whether the extension is that of a file with audio.
  static func isPlayedByName(_ path: Span<UInt8>) -> Bool {
    hasExtension(
      path,
      in: """
        3g2 3ga 3gp 3gpp aac ac3 adts aif aifc aiff amr ape asf au avi awb bwf caf dff dsf dts eac3 flac flv m2a m4a m4b \
        m4r m4v mka mkv mov mp1 mp2 mp3 mp4 mpa mpc mpga oga ogg ogm ogv opus ra rf64 rm snd spx tak tta voc w64 wav wave \
        weba webm wma wmv wv
        """)
  }

  /// Whether a file in the music folder may have audio: that is decided by its content, not its name. Only files named
  /// as something else, or as a part of a file, are not examined.
  static func mayBePlayed(_ path: Span<UInt8>) -> Bool {
    let name = path.lastPart
    guard !name.isEmpty, name[0] != UInt8(ascii: "."), name[name.count - 1] != UInt8(ascii: "~") else { return false }
    return !hasExtension(
      path,
      in: """
        7z asx bmp bz2 conf crdownload css cue db doc docx download epub exe ffp gif gz htm html ini iso jpeg jpg js json \
        lnk lock log lrc m3u m3u8 md md5 nfo odt part partial pdf pls png py rar rtf sfv sh sha1 sha256 sig srt sub svg \
        swp tar temp tgz tif tiff tmp torrent ttf txt url vtt webp xml xspf xz zip
        """)
  }

  /// Whether it is called as a list of other files is.
  static func isPlaylist(_ path: Span<UInt8>) -> Bool {
    hasExtension(path, in: "asx cue m3u m3u8 pls wax wpl wvx xspf")
  }

  /// The library folder of a path.
  static func root(of path: Span<UInt8>) -> MediaKind? {
    if path.removingPrefix("audio/") != nil { return .audio }
    if path.removingPrefix("video/") != nil { return .video }
    if path.removingPrefix("photo/") != nil { return .photo }
    if path.removingPrefix("music/") != nil { return .music }
    return nil
  }

  /// The number of a take or a still; 0 for any other name.
  static func takeNumber(of path: Span<UInt8>) -> UInt32 {
    guard let kind = root(of: path), kind != .music else { return 0 }
    return TakeName(stemOf: path.lastPart)?.number ?? 0
  }

  /// The part before the last `/`; empty if there is none, and `/` for entries of the root.
  @_lifetime(copy path)
  static func parent(of path: Span<UInt8>) -> Span<UInt8> {
    let end = path.count - path.lastPart.count
    return path.extracting(first: end > 1 ? end - 1 : end)
  }

  /// The path without a leading `./` or doubled or trailing slashes; a stream's address unchanged.
  static func normalized(_ path: borrowing FixedText<256>) -> FixedText<256> {
    guard !path.isStreamAddress else { return copy path }
    var normalized = FixedText<256>()
    let bytes = path.bytes
    for index in bytes.indices {
      let isSlash = bytes[index] == UInt8(ascii: "/")
      if isSlash, index > 0, bytes[index - 1] == bytes[index] { continue }
      if isSlash, normalized == ".", index < bytes.count - 1 {
        normalized.removeAll()
      } else {
        normalized.append(byte: bytes[index])
      }
    }
    let length = normalized.byteCount
    if length > 1, normalized.bytes[length - 1] == UInt8(ascii: "/") { normalized.truncate(to: length - 1) }
    return normalized
  }

  /// Whether a path is inside a folder, at any depth.
  static func contains(_ path: Span<UInt8>, folder: Span<UInt8>) -> Bool {
    path.count > folder.count && path.starts(with: folder) && path[folder.count] == UInt8(ascii: "/")
  }

  /// Whether `left` precedes `right`: by library folder; takes by number and before other files; then by path, folder
  /// by folder: numbers in it by value, everything else byte by byte, and names that differ only in case side by side.
  static func precedes(
    _ left: Span<UInt8>, takeNumber leftNumber: UInt32, _ right: Span<UInt8>, takeNumber rightNumber: UInt32
  ) -> Bool {
    if leftNumber != rightNumber, let kind = root(of: left), kind == root(of: right) {
      return rightNumber == 0 || (leftNumber != 0 && leftNumber < rightNumber)
    }
    var index = 0
    var isBeforeByCase: Bool?
    while index < min(left.count, right.count) {
      let (leftEnd, rightEnd) = (endOfNumber(left, from: index), endOfNumber(right, from: index))
      guard leftEnd > index, rightEnd > index else {
        let (leftByte, rightByte) = (left[index].lowercased, right[index].lowercased)
        if leftByte != rightByte { return rank(leftByte) < rank(rightByte) }
        if left[index] != right[index], isBeforeByCase == nil { isBeforeByCase = left[index] < right[index] }
        // The files of each folder stay together.
        if leftByte == UInt8(ascii: "/"), let isBeforeByCase { return isBeforeByCase }
        index += 1
        continue
      }
      let (leftStart, rightStart) = (firstDigit(left, index, leftEnd), firstDigit(right, index, rightEnd))
      if leftEnd - leftStart != rightEnd - rightStart { return leftEnd - leftStart < rightEnd - rightStart }
      for digit in 0..<leftEnd - leftStart where left[leftStart + digit] != right[rightStart + digit] {
        return left[leftStart + digit] < right[rightStart + digit]
      }
      // Equal values: 1 precedes 01.
      if leftEnd != rightEnd { return leftEnd < rightEnd }
      index = leftEnd
    }
    return left.count == right.count ? isBeforeByCase ?? false : left.count < right.count
  }

  private static func endOfNumber(_ text: Span<UInt8>, from start: Int) -> Int {
    var end = start
    while end < text.count, text[end] >= UInt8(ascii: "0"), text[end] <= UInt8(ascii: "9") { end += 1 }
    return end
  }

  /// The first digit of a number after its leading zeros.
  private static func firstDigit(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var first = start
    while first < end, text[first] == UInt8(ascii: "0") { first += 1 }
    return first
  }

  /// Files in a folder precede files beside it whose name begins with the folder's.
  private static func rank(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "/") ? 0 : byte }

  /// - Parameter extensions: in lower case, separated by single spaces.
  private static func hasExtension(_ path: Span<UInt8>, in extensions: StaticString) -> Bool {
    var start = path.count
    while start > 0, path[start - 1] != UInt8(ascii: "."), path[start - 1] != UInt8(ascii: "/") { start -= 1 }
    guard start > 0, path[start - 1] == UInt8(ascii: "."), start < path.count else { return false }
    return path.extracting(droppingFirst: start).isWord(of: extensions)
  }
}
