/// Bounds of what the storage worker does, with their reasons.
public enum TakeLimits {
  /// How long a picture that is late may hold a stretch back. With half a second of a stretch, and as much again for
  /// two flushes of a slow card, what a power cut can take stays under one second.
  public static var latePictureMilliseconds: UInt64 { 250 }

  /// How long the first picture of a take is waited for before sound alone begins it: a camera's start takes that long.
  public static var firstPictureMilliseconds: UInt64 { 1000 }

  /// Bytes in one write of sound whose byte order is changed on the way: a third of a second of 48 kHz stereo.
  public static var copyByteCount: Int { 65_536 }
}
