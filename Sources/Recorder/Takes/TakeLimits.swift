/// Bounds of what the storage worker does, with their reasons.
public enum TakeLimits {
  /// How long a picture that is late may hold a stretch back. With half a second of a stretch, and as much again for
  /// two flushes of a slow card, what a power cut can take stays under one second.
  public static var latePictureMilliseconds: UInt64 { 250 }

  /// What is newer than this may belong to no take: a press that ends it counts from its first contact, and is known of
  /// 20 ms of debouncing and a tick later.
  public static var settlingMilliseconds: UInt64 { 30 }

  /// How much more than the pre-roll the rings hold so that it begins with a keyframe. Encoders are asked for one a
  /// second. Where they come more rarely the pre-roll begins at the first keyframe in it: what is held on to here is
  /// missing when the card stalls.
  public static var keyframeSeconds: UInt64 { 2 }

  /// For how long a button that is down holds back what lies behind the press. A longer press ends the take that much
  /// later; but what a power cut can take while a finger is on the button stays under a second.
  public static var pressMilliseconds: UInt64 { 300 }

  /// How much longer than the pre-roll the rings hold what was: a short press is understood at its release, up to 800 ms
  /// and 20 ms of debouncing after it began, and the take begins a whole pre-roll before the press.
  public static var backdatingSeconds: UInt64 { 1 }

  /// How long the first picture of a take is waited for before sound alone begins it: a camera's start takes that long.
  public static var firstPictureMilliseconds: UInt64 { 1000 }

  /// Bytes that the card must have left beyond the next stretch: the ledger, folders and the file system's own tables
  /// fit many times.
  public static var spareByteCount: UInt64 { 4_194_304 }

  /// Bytes that the card must have left for a take to begin: with less it would end in the seconds in which it began.
  public static var firstByteCount: UInt64 { 2 * spareByteCount }

  /// Bytes in one write of sound whose byte order is changed on the way: a third of a second of 48 kHz stereo.
  public static var copyByteCount: Int { 65_536 }
}
