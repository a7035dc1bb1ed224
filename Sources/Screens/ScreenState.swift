import Base

/// Whether there is a display to draw on, its state, and when to check again.
package enum ScreenState: Equatable, Sendable {
  /// There is none; `told` is the last trouble that was reported.
  case looking(next: Instant, told: ScreenTrouble?)
  /// It shows the last frame, and takes another.
  case ready(nextCheck: Instant)
  /// A frame waits for its page flip, due by the deadline; the check follows it.
  case flipping(check: Instant, deadline: Instant)

  /// An event of the display.
  package enum Event: Equatable, Sendable {
    case found
    case frameIsUnderway
    case frameIsShown
    /// The display was checked and is there.
    case isThere
    case lost(ScreenTrouble)
  }

  /// The interval at which a missing display is looked for again.
  static var lookIntervalNanoseconds: UInt64 { 2_000_000_000 }
  /// How often a display that shows something is checked for being plugged in.
  static var checkIntervalNanoseconds: UInt64 { 1_000_000_000 }
  /// A display shows 24 frames a second or more; one that takes this long never will.
  static var longestFlipNanoseconds: UInt64 { 2_000_000_000 }

  /// Looked for at once.
  package init() { self = .looking(next: 0, told: nil) }

  /// Changes state on an event.
  /// - Returns: a trouble to report; the same one is reported again only after the display was there.
  package mutating func handle(_ event: Event, at now: Instant) -> ScreenTrouble? {
    switch (self, event) {
    case (.looking(_, let told), .lost(let trouble)):
      self = .looking(next: now + Self.lookIntervalNanoseconds, told: trouble)
      return told == trouble ? nil : trouble
    case (_, .lost(let trouble)):
      self = .looking(next: now + Self.lookIntervalNanoseconds, told: trouble)
      return trouble
    case (.looking, .found), (.ready, .isThere):
      self = .ready(nextCheck: now + Self.checkIntervalNanoseconds)
    case (.ready(let check), .frameIsUnderway):
      self = .flipping(check: check, deadline: now + Self.longestFlipNanoseconds)
    case (.flipping(let check, _), .frameIsShown):
      self = .ready(nextCheck: check)
    default: break
    }
    return nil
  }
}
