/// The size of each of an item's three buffers, and how many packets one read puts into it.
package struct BufferPlan: Equatable, Sendable {
  package static var smallestByteCount: UInt32 { 0x4000 }
  /// The largest buffer, unless a single packet is larger.
  package static var largestByteCount: UInt32 { 0x50000 }

  package let byteCount: UInt32
  /// 1 or more.
  package let packetsPerRead: UInt32

  /// Plans for `seconds` of sound where each packet holds the same number of frames, else for the largest buffer;
  /// within the bounds, and for at least one packet.
  /// - Parameters:
  ///   - framesPerPacket: 0 when packets hold different numbers of frames.
  ///   - largestPacketByteCount: 1 or more; a buffer holds at least one such packet.
  package init(
    sampleRateHz: UInt32, framesPerPacket: UInt32, largestPacketByteCount: UInt32, seconds: Double = 0.5
  ) {
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
  /// Bytes of each buffer of a stream.
  package static var streamByteCount: Int { 1_048_576 }
  /// Packets of each buffer of a stream, at most. Of MP3 at 44.1 kHz they are 13.37 s; the bytes fill first above
  /// 627 kbit/s.
  package static var streamPacketCount: Int { 512 }
  /// Bytes of each buffer of a stream that somebody else keeps in sync: a packet of PCM in the Core Audio Format.
  package static var syncedByteCount: Int { 4096 }
  /// A buffer that is not full is handed on when nothing else is left to play and it holds so much.
  package static var streamLeastSeconds: Double { 0.5 }
}

/// By how much a live stream is made longer or shorter, so that its server's clock and the sound card's agree in the
/// long run: what is in the buffers is kept as it was at first.
///
/// A server whose file is read faster than it is heard is held back by full buffers, and needs no steering: its sound
/// passes unchanged.
package struct FillSteering: BitwiseCopyable, Equatable, Sendable {
  /// What is steered by at most. No one hears it: half a cent.
  package static var longestPartsPerMillion: Double { 300 }
  /// How long the first level is measured, and how fast bursts of the network are forgotten, in seconds.
  private static var settlingSeconds: Double { 60 }
  /// For each second that there is more or less than at first. 200 ppm then settle two seconds beside it, after hours.
  private static var partsPerMillionPerSecond: Double { 100 }

  private var elapsedSeconds = 0.0
  private var meanSeconds = 0.0
  /// What is to be in the buffers; nil while it is measured.
  private var wantedSeconds: Double?
  /// How much longer the sound is to become in parts per million; below 0 shorter.
  package private(set) var partsPerMillion = 0.0

  package init() {}

  /// Some time has passed.
  /// - Parameters:
  ///   - seconds: how much, above 0.
  ///   - fillSeconds: how much sound is in the buffers.
  ///   - isHeldBack: whether the server had to wait, or has sent all: then there is nothing to steer by.
  package mutating func step(seconds: Double, fillSeconds: Double, isHeldBack: Bool) {
    guard !isHeldBack else {
      self = FillSteering()
      return
    }
    elapsedSeconds += seconds
    // At first the mean of all, later of the newest.
    meanSeconds += (fillSeconds - meanSeconds) * seconds / min(elapsedSeconds, Self.settlingSeconds)
    guard let wantedSeconds else {
      if elapsedSeconds >= Self.settlingSeconds { wantedSeconds = meanSeconds }
      return
    }
    let wanted = (wantedSeconds - meanSeconds) * Self.partsPerMillionPerSecond
    partsPerMillion = min(Self.longestPartsPerMillion, max(-Self.longestPartsPerMillion, wanted))
  }
}
