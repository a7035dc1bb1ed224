/// What a person did on the keyboard of a terminal.
enum Key: Equatable {
  case character(Unicode.Scalar)
  case enter
  case left
  case right
  case up
  case down
  case home
  case end
  case backspace
  case delete
  case tab
  case killToEnd
  case killToStart
  case killWord
  case clearLine
  case endOfInput
  case redraw
}
