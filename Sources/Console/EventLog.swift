import Base

/// The newest events, for somebody who was not there to see them.
@safe struct EventLog: ~Copyable {
  struct Entry: BitwiseCopyable {
    var instant: Instant
    /// When the event last happened, and how often: the same line several times in a row is one event.
    var lastInstant: Instant
    var count: UInt32 = 1
    var level: EventLevel
    /// The line without its leading mark; a longer line is cut.
    var line: FixedText<240>
  }

  /// 64 entries of 280 bytes are 17,920: a day of normal takes, or the last minute of one in which everything fails.
  static var capacity: Int { 64 }

  // Safe: boot memory stays mapped for the life of the process, and only this value, which is not copyable, uses this
  // part of it. A slot is read only after it was written.
  private let slots: UnsafeMutableBufferPointer<Entry>
  /// Events since boot, which is the number of the next one.
  private(set) var count: UInt64 = 0

  /// - Returns: nil if `memory` has too little left.
  init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: Self.capacity * MemoryLayout<Entry>.stride) else { return nil }
    unsafe slots = piece.bindMemory(to: Entry.self)
  }

  /// The number of the oldest event that is kept.
  var first: UInt64 { count - min(count, UInt64(Self.capacity)) }

  mutating func append(_ line: Span<UInt8>, _ level: EventLevel, at instant: Instant) {
    let entry = Entry(instant: instant, lastInstant: instant, level: level, line: FixedText(line))
    if count > 0, var newest = self[count - 1], newest.line == entry.line, newest.count < .max {
      newest.lastInstant = instant
      newest.count += 1
      unsafe slots[Int((count - 1) % UInt64(Self.capacity))] = newest
    } else {
      unsafe slots[Int(count % UInt64(Self.capacity))] = entry
      count += 1
    }
  }

  /// Nil if the event is no longer kept, or has not happened yet.
  subscript(number: UInt64) -> Entry? {
    guard number >= first, number < count else { return nil }
    return unsafe slots[Int(number % UInt64(Self.capacity))]
  }
}

extension ConsoleSession {
  /// Events since boot, which is the number of the next one.
  package var eventCount: UInt64 { events.count }

  /// When an event happened, and its line without the leading mark; nil if it is no longer kept.
  package func event(_ number: UInt64) -> (instant: Instant, line: FixedText<240>)? {
    // Events reported while the recorder was being assembled have no instant of their own.
    events[number].map { (max($0.instant, start ?? $0.instant), $0.line) }
  }

  /// The most events that ``showEvents(count:)`` can show.
  package static var eventCapacity: Int { EventLog.capacity }

  /// Runs `events`: prints the oldest of them first.
  @export(interface)
  package mutating func showEvents(_ range: EventRange, _ form: EventForm) {
    var number = events.first
    switch range {
    case .newest(let count): number = max(number, events.count - min(events.count, UInt64(count)))
    case .since(let milliseconds):
      let first = instant(milliseconds: milliseconds)
      // Events reported while the recorder was being assembled count as of the start.
      while let event = events[number], max(event.lastInstant, start ?? 0) < first { number += 1 }
    }
    guard form == .follow else { return showEvents(from: number, to: events.count, form) }
    guard isTerminal else { return refuse("follow needs a terminal: without one events are printed as they happen") }
    followEvents(from: number)
  }

  /// - Parameter milliseconds: after the start, or before now if negative.
  private func instant(milliseconds: Int64) -> Instant {
    let nanoseconds = milliseconds.magnitude * 1_000_000
    guard milliseconds < 0 else { return (start ?? now) + nanoseconds }
    return now.rawValue > nanoseconds ? Instant(now.rawValue - nanoseconds) : 0
  }

  /// Replies with the events of these numbers, as far as there is space for them; the rest follows at a later tick.
  @export(interface)
  package mutating func showEvents(from number: UInt64, to end: UInt64, _ form: EventForm) {
    let isBrokenOff = takeInterrupt()
    var number = number
    while !isBrokenOff, number < end {
      guard canReply else { return pending = .events(next: number, end: end, form) }
      show(number, form)
      number += 1
    }
    complete()
  }

  /// Replies with the events from a number on, and with further ones as they happen, until a key is pressed.
  @export(interface)
  package mutating func followEvents(from number: UInt64) {
    if takeKey() { return complete() }
    pending = .followedEvents(next: number)
    var number = number
    while number < events.count, canReply {
      if number < events.first {
        reply("\(count: events.first - number, "event") no longer kept: the console is too slow")
        number = events.first
      }
      show(number, .lines)
      number += 1
      pending = .followedEvents(next: number)
    }
  }

  private mutating func show(_ number: UInt64, _ form: EventForm) {
    guard let event = events[number] else { return }
    let seconds = Double(event.instant.distance(since: start ?? event.instant)) / 1e9
    let lastSeconds = Double(event.lastInstant.distance(since: start ?? event.lastInstant)) / 1e9
    if form == .json {
      beginReport(.json)
      member("number", .count(number))
      member("seconds", .decimal(seconds, decimals: 3))
      member("last_seconds", .decimal(lastSeconds, decimals: 3))
      member("count", .count(event.count))
      member("level", .name(event.level.name))
      member("text", text: event.line.bytes)
      endPart()
    } else if event.count == 1 {
      reply("\(grouped: seconds, decimals: 3) s: \(event.line)" as FixedText<280>, inRowsIndentedBy: 2)
    } else {
      reply(
        """
        \(grouped: seconds, decimals: 3) s: \(event.line) (\(grouped: Int(event.count)) times, the last at \
        \(grouped: lastSeconds, decimals: 3) s)
        """ as FixedText<340>, inRowsIndentedBy: 2)
    }
  }
}

/// The severity of an event.
package enum EventLevel: UInt8, BitwiseCopyable, Choice {
  /// Something went as it should.
  case note
  /// Somebody should look.
  case warning
  /// Something does not work.
  case fault

  package var name: StaticString {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .fault: "fault"
    }
  }
}

/// Selects the events that the console prints as they happen. All of them are kept.
package enum EventFilter: UInt8, BitwiseCopyable, Choice {
  case all
  case warnings
  case faults
  case off

  package var name: StaticString {
    switch self {
    case .all: "all"
    case .warnings: "warnings"
    case .faults: "faults"
    case .off: "off"
    }
  }

  func passes(_ level: EventLevel) -> Bool { level.rawValue >= rawValue }
}
