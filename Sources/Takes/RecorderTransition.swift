/// A step of the recorder's state machine.
public struct RecorderTransition: Sendable {
  public var state: RecorderState
  public var action: RecorderAction

  init(_ state: RecorderState, _ action: RecorderAction = .nothing) {
    self.state = state
    self.action = action
  }
}
