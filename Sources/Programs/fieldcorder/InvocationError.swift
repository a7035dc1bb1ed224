import Text

/// A word of the command line that cannot be followed.
struct InvocationError: Error {
  var option: FixedText<64>
  var given: FixedText<128>?
  var expected: FixedText<128>

  /// The whole as one line for a person.
  var line: FixedText<512> {
    guard let given else { return "fieldcorder: \(option): expected \(expected)" }
    return "fieldcorder: \(option) \(given): expected \(expected)"
  }
}
