/// A step of the recorder's state machine.
public struct RecorderTransition: Equatable, Sendable {
  /// The state afterwards.
  public var state: RecorderState
  /// What has to be done for it.
  public var action: RecorderAction

  init(_ state: RecorderState, _ action: RecorderAction = .nothing) {
    self.state = state
    self.action = action
  }
}
