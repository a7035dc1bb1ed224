import Base
import Machine

/// Edges of buttons on their way to the recognizers, in the order in which they came.
struct ButtonEdges: ~Copyable {
  private let place = StaysInPlace()
  /// The bounces of two contacts; what comes on top of that waits in the kernel.
  private var places = InlineArray<32, ButtonEdge>(repeating: ButtonEdge(.record, isDown: false, at: 0))
  private var count = 0
  /// Of the last edge of any button, or of the reading before.
  private var newest: Instant = 0

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == places.count }

  /// - Parameter now: at which the levels were read. An edge's stamp may be a little later, or, where an interrupt was
  ///   served late, earlier than the reading before: it counts as between the two.
  mutating func append(_ edge: ButtonEdge, at now: Instant) {
    newest = min(max(edge.instant, newest), now)
    places[count] = ButtonEdge(edge.button, isDown: edge.isDown, at: newest)
    count += 1
  }

  /// The levels were read: what follows is later.
  mutating func pass(_ now: Instant) { newest = now }

  func first(of button: Button) -> ButtonEdge? { index(of: button).map { places[$0] } }

  mutating func removeFirst(of button: Button) {
    guard let index = index(of: button) else { return }
    count -= 1
    for place in index..<count { places[place] = places[place + 1] }
  }

  private func index(of button: Button) -> Int? {
    let edges = places.span
    for index in 0..<count where edges[index].button == button { return index }
    return nil
  }
}
