/// The size of each of an item's three buffers, and how many packets one read puts into it.
package struct BufferPlan: Equatable, Sendable {
  package static var smallestByteCount: UInt32 { 0x4000 }
  /// The largest buffer, unless a single packet is larger.
  package static var largestByteCount: UInt32 { 0x50000 }

  package let byteCount: UInt32
  /// 1 or more.
  package let packetsPerRead: UInt32

  /// Plans for `seconds` of sound if every packet holds the same number of frames, else for the largest buffer; within
  /// the limits, and for at least one packet.
  /// - Parameters:
  ///   - framesPerPacket: 0 if packets hold different numbers of frames.
  ///   - largestPacketByteCount: 1 or more; a buffer holds at least one such packet.
  package init(sampleRateHz: UInt32, framesPerPacket: UInt32, largestPacketByteCount: UInt32, seconds: Double = 0.5) {
    let largest = Double(Self.largestByteCount)
    var wanted = largest
    if framesPerPacket > 0 {
      let packetCount = Double(sampleRateHz) / Double(framesPerPacket) * seconds
      wanted = packetCount * Double(largestPacketByteCount)
    }
    let bounded = UInt32(min(max(wanted, Double(Self.smallestByteCount)), largest))
    byteCount = max(bounded, largestPacketByteCount)
    packetsPerRead = byteCount / max(1, largestPacketByteCount)
  }
}

extension BufferPlan {
  /// Size of each buffer of a stream.
  package static var streamByteCount: Int { 1_048_576 }
  /// The most packets in each buffer of a stream: 13.37 s of MP3 at 44.1 kHz. Above 627 kbit/s the byte limit is
  /// reached first.
  package static var streamPacketCount: Int { 512 }
  /// Size of each buffer of a synchronized stream: one PCM packet in the Core Audio Format.
  package static var syncedByteCount: Int { 4096 }
  /// The least sound for which a partly filled buffer is handed on when nothing else is left to play.
  package static var streamLeastSeconds: Double { 0.5 }
}

/// How much a live stream is stretched or shortened, so that its server's clock and the sound card's agree in the long
/// run: the fill level of the buffers is held where it began.
///
/// A server whose file is read faster than it plays is throttled by full buffers and needs no steering: its sound
/// passes unchanged.
package struct FillSteering: BitwiseCopyable, Equatable, Sendable {
  /// The largest correction: half a cent, which nobody hears.
  package static var longestPartsPerMillion: Double { 300 }
  /// How long the initial level is measured, and the time constant that smooths network bursts, in seconds.
  private static var settlingSeconds: Double { 60 }
  /// The correction per second of deviation from the initial level. 200 ppm then settle two seconds away, after hours.
  private static var partsPerMillionPerSecond: Double { 100 }

  private var elapsedSeconds = 0.0
  private var meanSeconds = 0.0
  /// The fill level to hold; nil while it is being measured.
  private var wantedSeconds: Double?
  /// How much longer the sound must become, in parts per million; negative for shorter.
  package private(set) var partsPerMillion = 0.0

  package init() {}

  /// Updates the correction after some time has passed.
  /// - Parameters:
  ///   - seconds: the time since the last step, above 0.
  ///   - fillSeconds: how much sound is in the buffers.
  ///   - isHeldBack: whether the server had to wait or has sent everything, so that there is nothing to steer by.
  package mutating func step(seconds: Double, fillSeconds: Double, isHeldBack: Bool) {
    guard !isHeldBack else {
      self = FillSteering()
      return
    }
    elapsedSeconds += seconds
    // The mean of all samples at first, later of the newest.
    meanSeconds += (fillSeconds - meanSeconds) * seconds / min(elapsedSeconds, Self.settlingSeconds)
    guard let wantedSeconds else {
      if elapsedSeconds >= Self.settlingSeconds { wantedSeconds = meanSeconds }
      return
    }
    let wanted = (wantedSeconds - meanSeconds) * Self.partsPerMillionPerSecond
    partsPerMillion = min(Self.longestPartsPerMillion, max(-Self.longestPartsPerMillion, wanted))
  }
}
