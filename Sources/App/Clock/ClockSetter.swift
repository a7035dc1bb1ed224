import Base
import Machine

/// What set the clock, as far as this boot has seen it.
enum ClockSetter {
  /// Nothing since the start.
  case none
  /// A time server or a receiver, which was heard last at an instant.
  case network(last: Instant, ClockError)
  /// Somebody, through this program.
  case hand(at: Instant)

  /// What set the clock, and how far it may be off.
  func line(_ source: ClockSource, at now: Instant) -> FixedText<256> {
    switch (self, source) {
    case (.network(_, let error), .synchronised):
      return """
        set by a time server, off by at most \(error.mostNanoseconds.asTime), probably by \
        \(error.likelyNanoseconds.asTime)
        """
    case (.network(let last, let error), _):
      let most = error.mostNanoseconds + Self.drift(since: last, at: now)
      return "set by a time server \(duration: (now - last) / 1_000_000_000) ago, off by at most \(most.asTime)"
    case (.hand(let start), _):
      return """
        set by hand \(duration: (now - start) / 1_000_000_000) ago, and has drifted by at most \
        \(Self.drift(since: start, at: now).asTime) since
        """
    case (.none, .unset): return "not set, and its year is wrong: clock set 2026-11-22T12:30 sets it"
    case (.none, _):
      return "kept from before the start, by a battery or from the last shutdown: its accuracy is unknown"
    }
  }

  /// The same for a program.
  func facts(_ source: ClockSource, at now: Instant) -> ClockSetterFacts {
    switch (self, source) {
    case (.network(let last, let error), .synchronised):
      ClockSetterFacts(
        name: "time server", ageNanoseconds: now - last, mostNanoseconds: error.mostNanoseconds,
        likelyNanoseconds: error.likelyNanoseconds)
    case (.network(let last, let error), _):
      ClockSetterFacts(
        name: "time server", ageNanoseconds: now - last,
        mostNanoseconds: error.mostNanoseconds + Self.drift(since: last, at: now))
    case (.hand(let start), _):
      ClockSetterFacts(
        name: "hand", ageNanoseconds: now - start, mostNanoseconds: Self.drift(since: start, at: now))
    case (.none, _): ClockSetterFacts(name: "nothing")
    }
  }

  /// What a clock that is left alone goes wrong at most, in nanoseconds.
  private static func drift(since start: Instant, at now: Instant) -> UInt64 {
    (now - start) / 1_000_000 * Limits.clockDriftPartsPerMillion
  }
}

/// What set the clock, how long ago, and how far it may be off; nil for what nobody knows.
struct ClockSetterFacts {
  var name: StaticString
  var ageNanoseconds: UInt64?
  var mostNanoseconds: UInt64?
  var likelyNanoseconds: UInt64?
}

extension UInt64 {
  /// So many nanoseconds for a person: `0.4 ms`, `1.3 s`.
  fileprivate var asTime: FixedText<32> {
    self < 1_000_000_000
      ? "\(Double(self) / 1e6, decimals: 1) ms" : "\(grouped: Double(self) / 1e9, decimals: 1) s"
  }
}
