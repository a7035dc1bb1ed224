import Base

/// The layout of the live view's memory: these numbers first, then the status on the next cache lines, the artwork, the
/// picture ring, and the sample ring to the end.
package struct ViewLayout: BitwiseCopyable, Equatable, Sendable {
  /// How many packets the picture ring holds.
  package var capacityPackets: Int
  /// Bytes of packets in the ring; also the limit for one packet.
  package var capacityBytes: Int
  /// The camera's width in pixels; 0 without a camera. No picture is wider.
  package var widthPixels: Int
  /// The camera's height in pixels; 0 without a camera. No picture is higher.
  package var heightPixels: Int
  /// Bytes of samples in the sample ring.
  package var soundBytes: Int

  package init(capacityPackets: Int, capacityBytes: Int, widthPixels: Int, heightPixels: Int, soundBytes: Int) {
    self.capacityPackets = capacityPackets
    self.capacityBytes = capacityBytes
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.soundBytes = soundBytes
  }

  /// Size of the whole memory in bytes.
  package var byteCount: Int { soundStart + SampleRing.byteCount(capacityBytes: soundBytes) }

  var statusStart: Int { Self.headByteCount }

  var artworkStart: Int { statusStart + ViewStatusCell.byteCount }

  var ringStart: Int { artworkStart + ArtworkCell.byteCount }

  var soundStart: Int {
    ringStart + PacketRing<PictureHeader>.byteCount(capacityPackets: capacityPackets, capacityBytes: capacityBytes)
  }

  static var headByteCount: Int { BootMemory.footprint(byteCount: wordCount * 8) }

  /// 64-bit words of the layout in shared memory.
  static var wordCount: Int { 9 }

  /// "fcview" and the version, incremented with every change of the shared data, the rings included.
  private static var magic: UInt64 { 0x6663_7669_6577_0003 }

  /// The layout as words.
  var words: InlineArray<9, UInt64> {
    [
      Self.magic, UInt64(byteCount), UInt64(statusStart), UInt64(ringStart), UInt64(capacityPackets),
      UInt64(capacityBytes), UInt64(widthPixels), UInt64(heightPixels), UInt64(soundBytes),
    ]
  }

  /// - Parameter regionByteCount: size of the memory that starts with the words.
  /// - Returns: nil when the words are of another version, or describe memory of another size.
  init?(words: InlineArray<9, UInt64>, regionByteCount: Int) {
    guard words[0] == Self.magic, words[1] <= UInt64(regionByteCount),
      // The sum of such numbers cannot overflow.
      words[4] > 0, words[4] <= UInt64(regionByteCount) / 8, words[5] <= UInt64(regionByteCount),
      words[6] <= UInt64(UInt16.max), words[7] <= UInt64(UInt16.max), words[8] <= UInt64(regionByteCount)
    else { return nil }
    self.init(
      capacityPackets: Int(words[4]), capacityBytes: Int(words[5]), widthPixels: Int(words[6]),
      heightPixels: Int(words[7]), soundBytes: Int(words[8]))
    // A program with other packet or status sizes calculates other offsets.
    guard words[1] == UInt64(byteCount), words[2] == UInt64(statusStart), words[3] == UInt64(ringStart) else {
      return nil
    }
  }
}
