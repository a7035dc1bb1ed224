import Base
import Configuration
import Media

/// The name of a take's file or a still: `[PREFIX_]yyyyMMdd_HHMMSS_NNNN.mov` in UTC,
/// `[PREFIX_]yyyyMMddTHHMMSS+HHMM_NNNN.mov` in local time, or `HHMMSS-NNNN.mov`, whichever the settings were when it was
/// made. The inverse of ``TakeNaming``.
package struct TakeName: Sendable {
  private enum Time {
    /// Seconds since 1970-01-01 UTC.
    case unixSeconds(Int64)
    /// The day is the folder's.
    case secondOfDay(Int64)
  }

  /// NNNN.
  package let number: UInt32
  private let time: Time

  /// - Parameters:
  ///   - name: without its folder.
  ///   - kind: of its folder, which determines the extension.
  /// - Returns: nil for any other name.
  package init?(_ name: Span<UInt8>, of kind: MediaKind) {
    self.init(stemOf: name)
    guard let dot = name.firstIndex(of: "."), Self.isExtension(name.extracting(droppingFirst: dot + 1), of: kind) else {
      return nil
    }
  }

  /// A name with any extension.
  package init?(stemOf name: Span<UInt8>) {
    guard let end = name.firstIndex(of: ".") else { return nil }
    var start = end
    while start > 0, name[start - 1].isDigit { start -= 1 }
    guard end - start >= 4, start > 0,
      let number = name.extracting(start..<end).parseInteger(as: UInt32.self),
      let time = Self.time(name.extracting(first: start))
    else { return nil }
    self.number = number
    self.time = time
  }

  /// The time in the name.
  /// - Parameter day: of its folder, counted from 1970-01-01.
  /// - Returns: seconds since 1970-01-01 UTC.
  package func unixSeconds(inFolderOf day: Int64) -> Int64 {
    switch time {
    case .unixSeconds(let seconds): seconds
    case .secondOfDay(let second): day * 86_400 + second
    }
  }

  /// - Parameter text: what precedes the number, with the separator.
  private static func time(_ text: Span<UInt8>) -> Time? {
    let stem = text.extracting(droppingLast: 1)
    switch text[text.count - 1] {
    case UInt8(ascii: "-"): return secondOfDay(stem).map { .secondOfDay($0) }
    case UInt8(ascii: "_"):
      let (seconds, byteCount) = utc(stem) ?? local(stem) ?? (0, 0)
      guard byteCount > 0, stem.count == byteCount || stem[stem.count - byteCount - 1] == UInt8(ascii: "_") else {
        return nil
      }
      return .unixSeconds(seconds)
    default: return nil
    }
  }

  /// The time and its size, if `stem` ends with `yyyyMMdd_HHMMSS`.
  private static func utc(_ stem: Span<UInt8>) -> (unixSeconds: Int64, byteCount: Int)? {
    guard stem.count >= 15 else { return nil }
    return seconds(stem.extracting(last: 15), separator: UInt8(ascii: "_")).map { ($0, 15) }
  }

  /// The same for `yyyyMMddTHHMMSS+HHMM`.
  private static func local(_ stem: Span<UInt8>) -> (unixSeconds: Int64, byteCount: Int)? {
    guard stem.count >= 20 else { return nil }
    let text = stem.extracting(last: 20)
    guard let seconds = seconds(text.extracting(first: 15), separator: UInt8(ascii: "T")),
      let hours = text.extracting(16..<18).parseInteger(as: UInt8.self),
      let minutes = text.extracting(18..<20).parseInteger(as: UInt8.self), hours < 24, minutes < 60
    else { return nil }
    let offset = (Int64(hours) * 60 + Int64(minutes)) * 60
    switch text[15] {
    case UInt8(ascii: "+"): return (seconds - offset, 20)
    case UInt8(ascii: "-"): return (seconds + offset, 20)
    default: return nil
    }
  }

  private static func seconds(_ text: Span<UInt8>, separator: UInt8) -> Int64? {
    guard text[8] == separator, let day = CivilTime.dayNumber(ofDateText: text.extracting(first: 8)),
      let second = secondOfDay(text.extracting(droppingFirst: 9))
    else { return nil }
    return day * 86_400 + second
  }

  /// - Parameter digits: `HHMMSS`.
  private static func secondOfDay(_ digits: Span<UInt8>) -> Int64? {
    guard digits.count == 6, let hour = digits.extracting(0..<2).parseInteger(as: UInt8.self),
      let minute = digits.extracting(2..<4).parseInteger(as: UInt8.self),
      let second = digits.extracting(4..<6).parseInteger(as: UInt8.self), hour < 24, minute < 60, second < 60
    else { return nil }
    return (Int64(hour) * 60 + Int64(minute)) * 60 + Int64(second)
  }

  private static func isExtension(_ text: Span<UInt8>, of kind: MediaKind) -> Bool {
    switch kind {
    case .video: return text.equals("mov")
    case .photo: return text.equals("jpg")
    case .music: return false
    case .audio:
      var rawValue: UInt8 = 0
      while let container = AudioContainer(rawValue: rawValue) {
        if text.equals(container.fileExtension) { return true }
        rawValue += 1
      }
      return false
    }
  }
}

/// How new takes and stills are named. The longest name, `PREFIX_yyyyMMddTHHMMSS+HHMM_NNNNNNNNN.aiff` with a prefix of 12
/// bytes, has 48.
package struct TakeNaming: Sendable {
  private let settings: NameSettings
  private let localTime: LocalTime

  package init(_ settings: NameSettings, _ localTime: LocalTime = .offset(seconds: 0)) {
    self.settings = settings
    self.localTime = localTime
  }

  /// - Parameters:
  ///   - folder: where the day's folder is, such as `video`. The day is that of UTC.
  ///   - unixSeconds: since 1970-01-01 UTC.
  func path(
    in folder: StaticString, unixSeconds: Int64, number: UInt32, fileExtension: StaticString
  ) -> FixedText<128> {
    let utc = CivilTime(unixSeconds: unixSeconds)
    var path: FixedText<128> = "\(folder)/\(utc.dateText)/"
    switch settings.form {
    case .short: path.append("\(utc.timeText)-" as FixedText<16>)
    case .dated:
      if let prefix = settings.prefix { path.append("\(prefix)_" as FixedText<16>) }
      path.append(settings.isInLocalTime ? localStem(unixSeconds) : "\(utc.dateText)_\(utc.timeText)_")
    }
    path.append("\(number, width: 4).\(fileExtension)" as FixedText<16>)
    return path
  }

  private func localStem(_ unixSeconds: Int64) -> FixedText<32> {
    let local = localTime.civilTime(unixSeconds: unixSeconds)
    let minutes = local.utcOffsetSeconds.magnitude / 60
    let sign: StaticString = local.utcOffsetSeconds < 0 ? "-" : "+"
    return "\(local.dateText)T\(local.timeText)\(sign)\(minutes / 60, width: 2)\(minutes % 60, width: 2)_"
  }
}

enum TakeLayout: Sendable {
  case movie(MovieDescription)
  case audio(AudioFileDescription)

  var datedKind: DatedKind {
    switch self {
    case .movie: .movie
    case .audio(let audio): .sound(audio.container)
    }
  }

  /// Writes into the file that its take continues `name`, an interrupted file.
  mutating func link(to name: FixedText<48>) { change { $0.continues = name } }

  /// Writes the number of the file's name into it.
  mutating func number(_ number: UInt32) { change { $0.fileNumber = number } }

  private mutating func change(_ body: (inout Provenance) -> Void) {
    switch self {
    case .movie(var movie):
      body(&movie.provenance)
      self = .movie(movie)
    case .audio(var audio):
      body(&audio.provenance)
      self = .audio(audio)
    }
  }

  /// Fragments of a FLAC file consist of whole frames.
  var blockFrames: UInt64 {
    if case .audio(let audio) = self, audio.container == .flac { UInt64(FLACFormat.blockFrames) } else { 1 }
  }

  /// The description of an audio-only file; nil for a movie.
  var sound: SoundNote? {
    if case .audio(let audio) = self { SoundNote(audio) } else { nil }
  }

  /// The format of the sound; nil for none.
  var soundFormat: AudioFormat? {
    switch self {
    case .movie(let movie): movie.audio
    case .audio(let audio): audio.format
    }
  }

  var provenance: Provenance {
    switch self {
    case .movie(let movie): movie.provenance
    case .audio(let audio): audio.provenance
    }
  }
}

extension AudioContainer {
  /// The container of a take's file, by its name; nil if it is not an audio-only file.
  package init?(ofFile path: borrowing FixedText<128>) {
    var rawValue: UInt8 = 0
    while let container = AudioContainer(rawValue: rawValue) {
      if path.bytes.hasSuffix(container.fileExtension) {
        self = container
        return
      }
      rawValue += 1
    }
    return nil
  }
}
