/// When something is to begin to sound.
enum PlayInstant {
  case now
  /// By the monotonic clock.
  case monotonic(nanoseconds: UInt64)
}
