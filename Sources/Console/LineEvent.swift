import Text

/// What has come in, once it is more than part of a line.
enum LineEvent: Equatable {
  case line(FixedText<256>)
  case tooLong
  case endOfInput
}
