/// Counts every event by kind, and keeps the newest of them.
public struct EventLog: ~Copyable {
  private var counts = InlineArray<3, UInt64>(repeating: 0)
  private var amounts = InlineArray<3, UInt64>(repeating: 0)
  private var newest = InlineArray<32, Event>(
    repeating: Event(kind: .audioOverrun, amount: 0, samplePosition: 0))
  /// How many events there ever were; the newest 32 of them are kept.
  public private(set) var totalCount: UInt64 = 0

  /// Nothing has happened yet.
  public init() {}

  /// Counts an event and keeps it; the oldest that is kept gives way.
  public mutating func record(_ event: Event) {
    newest[Int(totalCount % UInt64(newest.count))] = event
    totalCount += 1
    counts[Int(event.kind.rawValue)] += 1
    amounts[Int(event.kind.rawValue)] += event.amount
  }

  /// How often `kind` happened.
  public func count(of kind: EventKind) -> UInt64 { counts[Int(kind.rawValue)] }

  /// How many frames, ticks or samples `kind` touched in all.
  public func amount(of kind: EventKind) -> UInt64 { amounts[Int(kind.rawValue)] }

  /// The event with running number `number`; nil when it is too old to be kept, or not yet there.
  public func event(number: UInt64) -> Event? {
    guard number < totalCount, totalCount - number <= UInt64(newest.count) else { return nil }
    return newest[Int(number % UInt64(newest.count))]
  }
}
