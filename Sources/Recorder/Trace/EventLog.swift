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

/// One thing that happened.
public struct Event: BitwiseCopyable, Sendable {
  /// What happened.
  public var kind: EventKind
  /// How many frames, ticks or samples it touched.
  public var amount: UInt64
  /// Where on the recording's timeline, in sample frames since arming.
  public var samplePosition: UInt64

  /// All of it.
  public init(kind: EventKind, amount: UInt64, samplePosition: UInt64) {
    self.kind = kind
    self.amount = amount
    self.samplePosition = samplePosition
  }
}

/// What can happen to a recording that somebody may want to know of afterwards.
public enum EventKind: UInt8, BitwiseCopyable, Sendable {
  /// The sound card lost frames before we came; silence of that length stands in the take.
  case audioOverrun
  /// The camera's driver skipped a frame.
  case cameraFrameDropped
  /// The device was turned while a take grew.
  case deviceTurned
}
