import Text

/// Why a command line is refused.
public enum CommandError: Error, Equatable, Sendable {
  case lineTooLong
  case unknownCommand(FixedText<32>)
  /// An argument is left out; `given` nil, or is none of what is expected.
  case wrongArgument(command: FixedText<16>, expected: FixedText<128>, given: FixedText<32>?)
  case tooManyArguments(command: FixedText<16>, usage: FixedText<64>, given: FixedText<32>)

  /// The reply for it.
  public var line: FixedText<256> {
    switch self {
    case .lineTooLong:
      "error: the line is longer than \(TypedLine.capacity) bytes"
    case .unknownCommand(let word):
      "error: unknown command \"\(word)\": help lists all"
    case .wrongArgument(let command, let expected, nil):
      "error: \(command) wants \(expected)"
    case .wrongArgument(let command, let expected, let given?):
      "error: \(command) wants \(expected), not \"\(given)\""
    case .tooManyArguments(let command, let usage, let given):
      "error: \(command) takes \(usage), not \"\(given)\" as well"
    }
  }
}
