import Testing

@testable import LinuxBoard

@Suite struct EncoderStateTests {
  private static let states: [EncoderState] = [.closed, .configured, .streaming, .draining, .drained, .failed]

  /// A row for each event, a column for each state in the order above; nil where the event has no place.
  private static let table: [(EncoderEvent, [EncoderState?])] = [
    (.configured, [.configured, nil, nil, nil, nil, nil]),
    (.started, [nil, .streaming, nil, nil, .streaming, nil]),
    (.stopOrdered, [nil, nil, .draining, nil, nil, nil]),
    (.lastPacketCame, [nil, nil, nil, .drained, nil, nil]),
    (.failed, [nil, .failed, .failed, .failed, .failed, .failed]),
    (.closed, [.closed, .closed, .closed, .closed, .closed, .closed]),
  ]

  @Test("the table says what every event does in every state of an encoder")
  func everyTransition() {
    for (event, row) in Self.table {
      for (state, expected) in zip(Self.states, row) {
        #expect(state.after(event) == expected, "\(state), \(event)")
      }
    }
  }
}
