/// What a transition asks to be done.
public enum RecorderAction: Sendable {
  case nothing
  /// Open microphone and camera, then tell what came of it.
  case openDevices
  /// Order the storage worker to begin a take at the press.
  case beginTake
  /// Order the storage worker to end the take at the press.
  case endTake
  /// Close microphone and camera, then tell that they are.
  case closeDevices
  /// Order the storage worker to give back what the rings hold.
  case emptyRings
  /// Remember the press: it cannot be served yet. A second one takes it back.
  case keepPress
  /// Serve a press that was remembered.
  case servePress
}
