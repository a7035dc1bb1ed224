import Base
import Machine

/// The edges of buttons on their way to the recognizers, in order of arrival.
struct ButtonEdges: ~Copyable {
  private let place = StaysInPlace()
  /// Enough for the bounces of two contacts; further edges wait in the kernel.
  private var places = InlineArray<32, ButtonEdge>(repeating: ButtonEdge(.record, isDown: false, at: 0))
  private var count = 0
  /// The time of the last edge of any button, or of the last reading.
  private var newest: Instant = 0

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == places.count }

  /// - Parameter now: when the levels were read. An edge's timestamp may be a little later, or, if an interrupt was
  ///   served late, earlier than the last reading: it is taken to lie between the two.
  mutating func append(_ edge: ButtonEdge, at now: Instant) {
    newest = min(max(edge.instant, newest), now)
    places[count] = ButtonEdge(edge.button, isDown: edge.isDown, at: newest)
    count += 1
  }

  /// Notes that the levels were read: later edges follow this instant.
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
