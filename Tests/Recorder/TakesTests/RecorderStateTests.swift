import Testing

@testable import Record

@Suite struct RecorderStateTests {
  private static let states: [RecorderState] = [
    .idle, .opening, .preparing, .recording, .finishing, .closing, .emptying, .failed,
  ]

  /// A row for each event, a column for each state in the order above: the next state and the action, or nil if nothing
  /// changes.
  private static let table: [(RecorderEvent, [RecorderTransition?])] = [
    (.arm, [to(.opening, .openDevices), nil, nil, nil, nil, nil, nil, to(.opening, .openDevices)]),
    (.devicesOpened, [nil, to(.preparing), nil, nil, nil, nil, nil, nil]),
    (.devicesAbsent, [nil, to(.failed), nil, nil, nil, nil, nil, nil]),
    (
      .recordPressed,
      [
        nil, to(.opening, .keepPress), to(.recording, .beginTake), to(.finishing, .endTake), to(.recording, .beginTake),
        to(.closing, .keepPress), to(.emptying, .keepPress), nil,
      ]
    ),
    (.takeFinished, [nil, nil, nil, to(.preparing), to(.preparing), nil, nil, nil]),
    (.takeFailed, [nil, nil, nil, to(.failed), to(.failed), nil, nil, nil]),
    (.devicesChanged, [nil, nil, to(.closing, .closeDevices), nil, nil, nil, nil, nil]),
    (.storageReturned, [nil, nil, nil, nil, nil, nil, nil, to(.preparing)]),
    (.devicesClosed, [nil, nil, nil, nil, nil, to(.emptying, .emptyRings), nil, nil]),
    (.ringsEmptied, [nil, nil, nil, nil, nil, nil, to(.idle, .servePress), nil]),
  ]

  private static func to(_ state: RecorderState, _ action: RecorderAction = .nothing) -> RecorderTransition {
    RecorderTransition(state, action)
  }

  @Test("the table has the effect of every event in every state")
  func everyTransition() {
    for (event, row) in Self.table {
      for (state, expected) in zip(Self.states, row) {
        #expect(
          state.transition(on: event, staysArmed: true) == expected ?? RecorderTransition(state), "\(state), \(event)")
      }
    }
  }

  @Test("a recorder that does not stay armed closes its devices after the take, and differs in nothing else")
  func closesDevices() {
    for (event, _) in Self.table {
      for state in Self.states {
        let expected =
          ((state == .finishing || state == .recording) && event == .takeFinished)
            || (state == .failed && event == .storageReturned)
          ? RecorderTransition(.closing, .closeDevices) : state.transition(on: event, staysArmed: true)
        #expect(state.transition(on: event, staysArmed: false) == expected, "\(state), \(event)")
      }
    }
  }

  @Test("a press has an effect in every state, after devices were opened if there were none")
  func noPressIsLost() {
    for state in Self.states {
      for staysArmed in [true, false] {
        var now = state
        let armed = now.transition(on: .arm, staysArmed: staysArmed)
        if armed.action == .openDevices {
          now = armed.state.transition(on: .devicesOpened, staysArmed: staysArmed).state
        }
        #expect(now.transition(on: .recordPressed, staysArmed: staysArmed).action != .nothing, "\(state)")
      }
    }
  }
}
