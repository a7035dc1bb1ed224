import Base

/// When pictures were exposed, also those of a driver whose timestamps cannot be right: there are drivers that give all
/// pictures of a stream the same one, and without this check none of them would ever reach a take. Such a picture counts
/// from its arrival.
struct PictureInstants {
  /// The driver's timestamp of the last picture; nil before the first.
  private var lastStamp: Instant?
  /// When the driver last had no picture: all that follow arrived later. 0 until then.
  private var lastEmpty: Instant = 0

  /// The driver has no picture at `now`.
  mutating func noteEmpty(at now: Instant) { lastEmpty = now }

  /// - Parameters:
  ///   - stamp: the driver's timestamp.
  ///   - now: when the picture was fetched.
  mutating func instant(of stamp: Instant, at now: Instant) -> Instant {
    let isLater = lastStamp.map { stamp > $0 } ?? true
    let isRecent = stamp + PictureLimits.mostLatencyNanoseconds >= lastEmpty
    lastStamp = stamp
    return isLater && isRecent ? stamp : now
  }
}
