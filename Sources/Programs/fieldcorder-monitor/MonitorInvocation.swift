import Base
import Machine

/// The command line.
struct MonitorInvocation {
  enum Mode {
    case run
    case help
    case version
  }

  var mode = Mode.run
  var configurationPath: FixedText<256>?
  /// Nil: the service manager has made the socket.
  var socketPath: FixedText<128>?
  var stateFolder: FixedText<128> = "/var/lib/fieldcorder-monitor"

  init(_ words: inout ArgumentList) throws(Refusal) {
    while let word: FixedText<64> = words.next() {
      if word == "--help" {
        mode = .help
      } else if word == "--version" {
        mode = .version
      } else if word == "--config" {
        configurationPath = try Self.value(&words, word)
      } else if word == "--socket" {
        socketPath = try Self.value(&words, word)
      } else if word == "--state" {
        stateFolder = try Self.value(&words, word)
      } else {
        throw Refusal("\(word) is not an option; --help lists them")
      }
    }
  }

  private static func value<let capacity: Int>(
    _ words: inout ArgumentList, _ option: FixedText<64>
  ) throws(Refusal) -> FixedText<capacity> {
    guard let value: FixedText<capacity> = words.next(), !value.isEmpty, !value.isTruncated else {
      throw Refusal("\(option) needs a path of at most \(capacity) bytes")
    }
    return value
  }
}
