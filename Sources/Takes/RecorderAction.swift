/// What a transition asks to be done.
public enum RecorderAction: Sendable {
  case nothing
  case openDevices
  case beginTake
  case endTake
  case closeDevices
}
