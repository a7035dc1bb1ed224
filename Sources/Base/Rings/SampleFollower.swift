import Synchronization

/// Follows a ``SampleRing`` from another process that has mapped its memory read-only. The ring's two ends do not
/// notice.
///
/// Frames may be overwritten while they are copied, and the card may switch to another format: both are checked after
/// each copy. Values read from the memory are checked before use: no value leads to a read outside it.
@safe package struct SampleFollower: BitwiseCopyable, @unchecked Sendable {
  // Safe: both point into one region that stays mapped while the follower is used, and is only read. The counts are
  // atomic, and every byte is a valid sample.
  private let header: UnsafePointer<SampleRingHeader>
  private let bytes: UnsafeRawBufferPointer
  private var format = SampleRingFormat(word: 0)
  /// The next frame to be read.
  package private(set) var position: TimelinePosition = 0

  /// - Parameters:
  ///   - region: starts with the ring and stays mapped while the follower is used.
  ///   - capacityBytes: as given when the ring was created.
  /// - Returns: nil if `region` does not hold a ring of that size.
  package init?(region: UnsafeRawBufferPointer, capacityBytes: Int) {
    let headerByteCount = BootMemory.footprint(byteCount: MemoryLayout<SampleRingHeader>.stride)
    guard let base = region.baseAddress, Int(bitPattern: base) % BootMemory.alignmentByteCount == 0,
      capacityBytes >= 0, capacityBytes <= region.count, headerByteCount <= region.count - capacityBytes
    else { return nil }
    unsafe header = base.assumingMemoryBound(to: SampleRingHeader.self)
    unsafe bytes = UnsafeRawBufferPointer(start: base + headerByteCount, count: capacityBytes)
  }

  /// The current format; nil until the first card has chosen one.
  package var audioFormat: AudioFormat? { format.audioFormat }

  /// Skips to the newest frame.
  package mutating func skipToEnd() {
    format = published
    position = end
  }

  /// Copies the next frames to the start of `buffer`, as many whole frames as fit.
  ///
  /// If the follower falls behind and frames are lost, it skips to the newest one.
  package mutating func read(into buffer: inout MutableRawSpan) -> FollowedSamples {
    guard published == format else {
      skipToEnd()
      return .newFormat
    }
    guard let audio = audioFormat else { return .nothing }
    let capacity = unsafe bytes.count / audio.bytesPerFrame
    let end = end
    guard end > position, capacity > 0 else { return end < position ? skipLost() : .nothing }
    guard isHeld(position, capacity) else { return skipLost() }
    let place = Int(position.rawValue % UInt64(capacity))
    let pieceFrames = min(Int(end - position), capacity - place)
    let frameCount = min(pieceFrames, buffer.byteCount / audio.bytesPerFrame)
    guard frameCount > 0 else { return .nothing }
    let start = place * audio.bytesPerFrame
    let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + frameCount * audio.bytesPerFrame])
    unsafe buffer.withUnsafeMutableBytes { unsafe $0.copyMemory(from: piece) }
    atomicMemoryFence(ordering: .acquiring)
    guard published == format else { return .nothing }
    guard isHeld(position, capacity) else { return skipLost() }
    position = position + UInt64(frameCount)
    return .frames(count: frameCount)
  }

  private var published: SampleRingFormat {
    unsafe SampleRingFormat(word: header.pointee.format.load(ordering: .acquiring))
  }

  private var end: TimelinePosition { unsafe TimelinePosition(header.pointee.indices.head) }

  /// As ``SampleRingTap/holds(_:)``: the producer may be writing to any of the free frames. Written so that a false end
  /// in the memory cannot overflow.
  private func isHeld(_ position: TimelinePosition, _ capacity: Int) -> Bool {
    let end = end
    return end >= position && end - position <= UInt64(capacity - capacity / 4)
  }

  private mutating func skipLost() -> FollowedSamples {
    let end = end
    let lost = end > position ? end - position : 0
    position = end
    return .lost(frameCount: lost)
  }
}

/// The result of ``SampleFollower/read(into:)``.
package enum FollowedSamples: BitwiseCopyable, Equatable, Sendable {
  /// There are no new frames.
  case nothing
  /// This many frames, at least 1, are in the buffer.
  case frames(count: Int)
  /// This many frames were overwritten before they could be read.
  case lost(frameCount: UInt64)
  /// The frames that follow have another format or come from another card.
  case newFormat
}

/// A ring's format and how many times it has been set, in one word.
struct SampleRingFormat: BitwiseCopyable, Equatable {
  /// Bits 0…31 hold the rate, then 8 bits the channels, 8 the sample format, and 16 the count.
  let word: UInt64

  init(word: UInt64) { self.word = word }

  init(_ format: AudioFormat, count: UInt16) {
    word =
      UInt64(format.sampleRateHz) | UInt64(format.channelCount & 0xFF) << 32 | UInt64(format.sampleFormat.rawValue)
      << 40
      | UInt64(count) << 48
  }

  var count: UInt16 { UInt16(truncatingIfNeeded: word >> 48) }

  /// Nil if no card produced this word.
  var audioFormat: AudioFormat? {
    let rate = UInt32(truncatingIfNeeded: word)
    let channelCount = UInt16(truncatingIfNeeded: word >> 32 & 0xFF)
    guard (8_000...192_000).contains(rate), (1...8).contains(channelCount),
      let sampleFormat = SampleFormat(rawValue: UInt8(truncatingIfNeeded: word >> 40))
    else { return nil }
    return AudioFormat(sampleRateHz: rate, channelCount: channelCount, sampleFormat: sampleFormat)
  }
}
