import Base
import Media

/// Names and places of takes: `video/yyyyMMdd/HHMMSS-NNNN.mov`, by UTC.
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

  /// Writes into the file that its take goes on with `name`, a file that was interrupted.
  mutating func link(to name: FixedText<32>) {
    switch self {
    case .movie(var movie):
      movie.provenance.continues = name
      self = .movie(movie)
    case .audio(var audio):
      audio.provenance.continues = name
      self = .audio(audio)
    }
  }

  /// What a file of sound alone holds.
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
  /// The container of a take's file, by its name; nil if it is none of sound alone.
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
