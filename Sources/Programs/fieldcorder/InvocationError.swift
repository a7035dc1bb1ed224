import Base

/// An invalid argument of the command line.
struct InvocationError: Error {
  var option: FixedText<64>
  var given: FixedText<128>?
  var expected: FixedText<128>

  /// The error as one line.
  var line: FixedText<512> {
    guard let given else { return "fieldcorder: \(option): expected \(expected)" }
    return "fieldcorder: \(option) \(given): expected \(expected)"
  }
}
