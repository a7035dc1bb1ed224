/// What the loop asked the library for, and so what is done with the answer.
enum LibraryErrand: BitwiseCopyable, Equatable {
  /// The console's `list` or `find`: entries are shown.
  case show
  /// As above, but ctrl-C was typed: what still comes is passed over.
  case passOver
  /// The console's `queue`: items are appended.
  case queue
  /// The newest take, or the file after the chosen one, is opened.
  case prepare(Asker)
  /// As above, and then played.
  case play(Asker, atNanoseconds: UInt64?)

  /// Who is told what came of it.
  var asker: Asker {
    switch self {
    case .show, .passOver, .queue: .console
    case .prepare(let asker), .play(let asker, _): asker
    }
  }
}
