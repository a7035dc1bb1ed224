/// Counts events by kind and keeps the newest.
public struct EventLog: ~Copyable {
  private var counts = InlineArray<3, UInt64>(repeating: 0)
  private var amounts = InlineArray<3, UInt64>(repeating: 0)
  private var newest = InlineArray<32, Event>(
    repeating: Event(kind: .audioOverrun, amount: 0, samplePosition: 0))
  /// How many events have been recorded; the newest 32 are kept.
  public private(set) var totalCount: UInt64 = 0

  /// An empty log.
  public init() {}

  /// Counts an event and keeps it in place of the oldest.
  public mutating func record(_ event: Event) {
    newest[Int(totalCount % UInt64(newest.count))] = event
    totalCount += 1
    counts[Int(event.kind.rawValue)] += 1
    amounts[Int(event.kind.rawValue)] += event.amount
  }

  /// How many events of `kind` there were.
  public func count(of kind: EventKind) -> UInt64 { counts[Int(kind.rawValue)] }

  /// The sum of the amounts of all events of `kind`.
  public func amount(of kind: EventKind) -> UInt64 { amounts[Int(kind.rawValue)] }

  /// Event number `number`; nil if it is no longer kept or has not happened.
  public func event(number: UInt64) -> Event? {
    guard number < totalCount, totalCount - number <= UInt64(newest.count) else { return nil }
    return newest[Int(number % UInt64(newest.count))]
  }
}

/// An event of the recording.
public struct Event: BitwiseCopyable, Sendable {
  /// What happened.
  public var kind: EventKind
  /// How many frames, ticks or samples it concerns.
  public var amount: UInt64
  /// Its position on the timeline, in sample frames since arming.
  public var samplePosition: UInt64

  /// Takes a value for each property.
  public init(kind: EventKind, amount: UInt64, samplePosition: UInt64) {
    self.kind = kind
    self.amount = amount
    self.samplePosition = samplePosition
  }
}

/// The kinds of events.
public enum EventKind: UInt8, BitwiseCopyable, Sendable {
  /// The sound card overran and lost frames, which are silence in the take.
  case audioOverrun
  /// The camera's driver skipped a frame.
  case cameraFrameDropped
  /// The device was rotated during a take.
  case deviceTurned
}
