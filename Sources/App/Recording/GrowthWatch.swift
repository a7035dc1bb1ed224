import Base

/// Whether a take grows: what has arrived is confirmed by the storage worker in time.
///
/// It waits for what has arrived and not for time to pass: a microphone that stalls holds up the take as well, and is
/// reported by itself.
struct GrowthWatch {
  enum Change {
    /// The take does not grow any more; this long ago it did.
    case stopped(nanoseconds: UInt64)
    case goesOn
  }

  private let startPosition: TimelinePosition
  /// What was confirmed at the last look, and since when.
  private var confirmed: TimelinePosition
  private var lastGrowth: Instant
  /// Since when a fragment has been waiting; nil while none is.
  private var waitingSince: Instant?
  /// Whether the take does not grow.
  private(set) var hasStopped = false

  /// A take that begins now, at `startPosition`.
  init(startPosition: TimelinePosition, confirmed: TimelinePosition, at now: Instant) {
    self.startPosition = startPosition
    self.confirmed = confirmed
    lastGrowth = now
  }

  /// - Parameters:
  ///   - confirmed: the storage worker's last position, of this take or of the one before.
  ///   - arrived: up to where sound and pictures have arrived.
  ///   - fragmentFrames: how much has to arrive before the storage worker writes it at the latest.
  mutating func look(
    confirmed: TimelinePosition, arrived: TimelinePosition, fragmentFrames: UInt64, at now: Instant
  ) -> Change? {
    if confirmed != self.confirmed {
      self.confirmed = confirmed
      lastGrowth = now
      waitingSince = nil
      if hasStopped {
        hasStopped = false
        return .goesOn
      }
    }
    guard arrived.distance(since: max(confirmed, startPosition)) >= fragmentFrames else { return nil }
    let start = waitingSince ?? now
    waitingSince = start
    let patience = Limits.growthPatienceMilliseconds * 1_000_000
    guard !hasStopped, now.distance(since: start) >= patience else { return nil }
    hasStopped = true
    return .stopped(nanoseconds: now - lastGrowth)
  }
}
