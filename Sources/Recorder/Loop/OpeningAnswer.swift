import Text

/// Whether the console waits for a file to be opened.
enum OpeningAnswer {
  /// It does not.
  case answered
  /// It does; so far this is in the way.
  case unanswered(failure: FixedText<384>?)
}
