import Base
import Media

/// The files whose names form one order: takes, in whichever folder, or stills.
enum DatedTrack: Int, Sendable {
  case takes
  case stills

  static var all: InlineArray<2, DatedTrack> { [.takes, .stills] }

  /// The prefix of its line in the journal.
  var journalKey: StaticString {
    switch self {
    case .takes: "newest_take = "
    case .stills: "newest_still = "
    }
  }
}

/// The kind of a file, as far as its path and the places of its dates depend on it.
enum DatedKind: BitwiseCopyable, Sendable {
  case movie
  case sound(AudioContainer)
  case still

  var track: DatedTrack {
    if case .still = self { .stills } else { .takes }
  }

  fileprivate var folderName: StaticString {
    switch self {
    case .movie: "video"
    case .sound: "audio"
    case .still: "photo"
    }
  }

  fileprivate var fileExtension: StaticString {
    switch self {
    case .movie: "mov"
    case .sound(let container): container.fileExtension
    case .still: "jpg"
    }
  }
}

/// A take's file or a still of this boot, and how it was dated.
struct DatedFile: BitwiseCopyable, Sendable {
  let kind: DatedKind
  /// NNNN.
  let number: UInt32
  /// The date in the file, as far as its fields can express it, in nanoseconds since 1970.
  var dateNanoseconds: Int64
  /// The time in its name: the date, unless that would sort it before an earlier file.
  var nameSeconds: Int64
  /// Unix time minus boot clock time, by which it is dated.
  var offsetNanoseconds: Int64
  /// Whether it keeps its name, whatever the clock says.
  var isPinned = false

  func path(_ naming: TakeNaming) -> FixedText<128> { path(naming, at: nameSeconds) }

  var dateSeconds: Int64 { dateNanoseconds / 1_000_000_000 }

  func path(_ naming: TakeNaming, at seconds: Int64) -> FixedText<128> {
    naming.path(
      in: kind.folderName, unixSeconds: seconds, number: number, fileExtension: kind.fileExtension)
  }

  /// Its date by another offset, in nanoseconds since 1970.
  func dateNanoseconds(by offsetNanoseconds: Int64) -> Int64 {
    let (shift, overflow) = offsetNanoseconds.subtractingReportingOverflow(self.offsetNanoseconds)
    return overflow ? dateNanoseconds : max(dateNanoseconds + shift, 0)
  }

  func dateSeconds(by offsetNanoseconds: Int64) -> Int64 { dateNanoseconds(by: offsetNanoseconds) / 1_000_000_000 }
}

/// A place in the order of names, which sort by time, then by number as text.
struct NamePlace {
  var seconds: Int64
  var number: UInt32

  /// The earliest time at which `number`, which is larger, sorts after this place. For numbers with equally many digits
  /// that is the same second.
  func earliest(for number: UInt32) -> Int64 {
    Self.digitCount(number) == Self.digitCount(self.number) ? seconds : seconds + 1
  }

  /// At least four digits are written.
  private static func digitCount(_ number: UInt32) -> Int {
    var count = 4
    var rest = number / 10_000
    while rest > 0 {
      rest /= 10
      count += 1
    }
    return count
  }
}
