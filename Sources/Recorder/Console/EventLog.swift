import Rings
import Text
import Values

/// The newest events, so that they can be read by somebody who was not there.
@safe struct EventLog: ~Copyable {
  struct Entry: BitwiseCopyable {
    var instant: Instant
    /// Without the mark in front of it; a longer line is cut.
    var line: FixedText<240>
  }

  /// 64 entries of 264 bytes are 16,896: a day of takes in order, or the last minute of one in which everything fails.
  static var capacity: Int { 64 }

  // Sound: boot memory stays mapped for the life of the process, and only this value, which cannot be copied, uses
  // this piece of it. A slot is read only once it was written.
  private let slots: UnsafeMutableBufferPointer<Entry>
  /// Events since boot: the number of the next one.
  private(set) var count: UInt64 = 0

  /// - Returns: nil when `memory` has too little left.
  init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: Self.capacity * MemoryLayout<Entry>.stride) else { return nil }
    unsafe slots = piece.bindMemory(to: Entry.self)
  }

  /// The number of the oldest event that is kept.
  var first: UInt64 { count - min(count, UInt64(Self.capacity)) }

  mutating func append(_ line: Span<UInt8>, at instant: Instant) {
    unsafe slots[Int(count % UInt64(Self.capacity))] = Entry(instant: instant, line: FixedText(line))
    count += 1
  }

  /// Nil when it is not kept any more, or has not happened.
  subscript(number: UInt64) -> Entry? {
    guard number >= first, number < count else { return nil }
    return unsafe slots[Int(number % UInt64(Self.capacity))]
  }
}

extension ConsoleSession {
  /// Events since boot: the number of the next one.
  public var eventCount: UInt64 { events.count }

  /// When an event happened, and its line without the mark in front of it; nil when it is not known any more.
  public func event(_ number: UInt64) -> (instant: Instant, line: FixedText<240>)? {
    // What was told while the recorder was being put together has no instant of its own.
    events[number].map { (max($0.instant, start ?? $0.instant), $0.line) }
  }

  /// The most events that ``showEvents(count:)`` can show.
  public static var eventCapacity: Int { EventLog.capacity }

  /// Replies with the newest events, the oldest of them first.
  public mutating func showEvents(count: Int) {
    let end = events.count
    showEvents(from: max(events.first, end - min(end, UInt64(count))), to: end)
  }

  /// Replies with the events of these numbers, as far as there is space for them; the rest follows at a later tick.
  public mutating func showEvents(from number: UInt64, to end: UInt64) {
    let isBrokenOff = takeInterrupt()
    var number = number
    while !isBrokenOff, number < end {
      guard canReply else { return pending = .events(next: number, end: end) }
      if let event = events[number] {
        let seconds = Double(event.instant.distance(since: start ?? event.instant)) / 1e9
        reply("\(grouped: seconds, decimals: 3) s: \(event.line)" as FixedText<280>)
      }
      number += 1
    }
    complete()
  }
}
