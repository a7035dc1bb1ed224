import Text

/// What has come in, once it is more than part of a line.
enum LineEvent: Equatable {
  case line(TypedLine)
  case tooLong
  case endOfInput
}
