import Decoding
import Posix

/// The item that is to follow, on its way: the reading thread opens it, so that decoding goes on meanwhile.
struct OpeningErrand: ~Copyable {
  enum Phase {
    case idle
    case wanted
    case running
    case done
  }

  var phase = Phase.idle
  var ticket: UInt32 = 0
  /// While it is wanted.
  var file: FileDescriptor?
  /// When it is done; nil where it could not be opened.
  var item: OpenItem?

  /// Whether the item may still come.
  var isUnderWay: Bool { phase == .wanted || phase == .running }
}
