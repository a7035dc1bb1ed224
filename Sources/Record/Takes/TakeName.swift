import Base
import Media

/// The name of a take's file or a still, `HHMMSS-NNNN.mov`: the inverse of ``TakePath``.
package struct TakeName: Sendable {
  /// NNNN.
  package let number: UInt32

  /// The time in the name, in seconds of the day.
  let secondOfDay: Int64

  /// - Parameters:
  ///   - name: without its folder.
  ///   - kind: of its folder, which determines the extension.
  /// - Returns: nil for any other name.
  package init?(_ name: Span<UInt8>, of kind: MediaKind) {
    self.init(stemOf: name)
    var dot = 0
    while name[dot] != UInt8(ascii: ".") { dot += 1 }
    guard Self.isExtension(name.extracting(droppingFirst: dot + 1), of: kind) else { return nil }
  }

  /// A name with any extension.
  init?(stemOf name: Span<UInt8>) {
    var dot = 0
    while dot < name.count, name[dot] != UInt8(ascii: ".") { dot += 1 }
    guard dot >= 11, dot < name.count, name[6] == UInt8(ascii: "-"),
      let secondOfDay = Self.secondOfDay(name.extracting(first: 6)),
      let number = name.extracting(7..<dot).parseInteger(as: UInt32.self)
    else { return nil }
    self.number = number
    self.secondOfDay = secondOfDay
  }

  private static func secondOfDay(_ digits: Span<UInt8>) -> Int64? {
    guard let hour = digits.extracting(0..<2).parseInteger(as: UInt8.self),
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

/// Names and paths of takes: `video/yyyyMMdd/HHMMSS-NNNN.mov`, in UTC.
enum TakePath {
  static func folder(kind: StaticString, unixSeconds: Int64) -> FixedText<128> {
    "\(kind)/\(CivilTime(unixSeconds: unixSeconds).dateText)"
  }

  static func file(
    in folder: FixedText<128>, unixSeconds: Int64, number: UInt64, fileExtension: StaticString
  ) -> FixedText<128> {
    "\(folder)/\(CivilTime(unixSeconds: unixSeconds).timeText)-\(number, width: 4).\(fileExtension)"
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
  mutating func link(to name: FixedText<32>) { change { $0.continues = name } }

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

  /// The description of an audio-only file; nil for a movie.
  var sound: SoundNote? {
    if case .audio(let audio) = self { SoundNote(audio) } else { nil }
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
