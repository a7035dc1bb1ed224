/// Whether there is a display to draw on, what it is doing, and when to look again.
public enum ScreenState: Equatable, Sendable {
  /// There is none; `told` is what was said of that last.
  case looking(nextNanoseconds: UInt64, told: ScreenTrouble?)
  /// It shows the last frame, and takes another.
  case ready(nextCheckNanoseconds: UInt64)
  /// A frame is on its way to the glass, and is to be there by the deadline; the check comes behind it.
  case flipping(checkNanoseconds: UInt64, deadlineNanoseconds: UInt64)

  /// What has happened.
  public enum Event: Equatable, Sendable {
    case found
    case frameIsUnderway
    case frameIsShown
    /// The display was looked at and is there.
    case isThere
    case lost(ScreenTrouble)
  }

  /// How long after a failure the display is looked for again.
  static var lookIntervalNanoseconds: UInt64 { 2_000_000_000 }
  /// How often a display that shows something is asked whether it is still plugged in.
  static var checkIntervalNanoseconds: UInt64 { 1_000_000_000 }
  /// A display shows 24 frames a second or more; one that takes this long never will.
  static var longestFlipNanoseconds: UInt64 { 2_000_000_000 }

  /// Looked for at once.
  public init() { self = .looking(nextNanoseconds: 0, told: nil) }

  /// Takes the step that an event asks for.
  /// - Returns: what is to be told: nothing that was told before, until the display has been there again.
  public mutating func handle(_ event: Event, atNanoseconds now: UInt64) -> ScreenTrouble? {
    switch (self, event) {
    case (.looking(_, let told), .lost(let trouble)):
      self = .looking(nextNanoseconds: now + Self.lookIntervalNanoseconds, told: trouble)
      return told == trouble ? nil : trouble
    case (_, .lost(let trouble)):
      self = .looking(nextNanoseconds: now + Self.lookIntervalNanoseconds, told: trouble)
      return trouble
    case (.looking, .found), (.ready, .isThere):
      self = .ready(nextCheckNanoseconds: now + Self.checkIntervalNanoseconds)
    case (.ready(let check), .frameIsUnderway):
      self = .flipping(checkNanoseconds: check, deadlineNanoseconds: now + Self.longestFlipNanoseconds)
    case (.flipping(let check, _), .frameIsShown):
      self = .ready(nextCheckNanoseconds: check)
    default: break
    }
    return nil
  }
}
