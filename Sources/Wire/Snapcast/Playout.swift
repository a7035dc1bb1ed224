import Base

/// Keeps a speaker at the server's time: says for each block of sound whether it is to be a frame shorter or longer.
///
/// The speaker's clock and the server's differ by some parts in a million, and two speakers that differ by as much are
/// heard apart after a minute. A frame more or less in 20 ms changes the pitch by a thousandth for that long.
package struct Playout: BitwiseCopyable, Sendable {
  /// What is done with the next block.
  package enum Step: BitwiseCopyable, Equatable, Sendable {
    /// It is played with this many frames more than it has: -1, 0 or 1.
    case play(extraFrames: Int)
    /// It is so far from its time that playing must start over.
    case beginAgain
  }

  /// Farther than this, a frame in 20 ms would take more than five seconds to catch up.
  package static var farthestNanoseconds: Int64 { 5_000_000 }

  private let frameNanoseconds: Int64

  /// - Parameter sampleRateHz: 8,000 or more.
  package init(sampleRateHz: UInt32) { frameNanoseconds = 1_000_000_000 / Int64(max(1, sampleRateHz)) }

  /// - Parameter lateNanoseconds: how much later than at its time the block would be heard; negative when earlier.
  package func step(lateNanoseconds: Int64) -> Step {
    // Half a frame on either side is as near as whole frames come.
    guard lateNanoseconds.magnitude <= UInt64(Self.farthestNanoseconds) else { return .beginAgain }
    if lateNanoseconds > frameNanoseconds / 2 { return .play(extraFrames: -1) }
    return .play(extraFrames: lateNanoseconds < -frameNanoseconds / 2 ? 1 : 0)
  }

  /// Spreads interleaved samples of 16 bits over another number of frames, by straight lines between them. The first and
  /// the last frame stay what they are, so that blocks join without a step.
  package static func stretch(
    _ samples: RawSpan, channelCount: Int, into room: inout MutableRawSpan, frameCount: Int
  ) {
    let givenCount = samples.byteCount / (2 * channelCount)
    guard givenCount > 0, frameCount > 0 else { return }
    guard frameCount != givenCount else { return room.store(samples) }
    for frame in 0..<frameCount {
      let place = frameCount > 1 ? Double(frame * (givenCount - 1)) / Double(frameCount - 1) : 0
      let before = min(Int(place), givenCount - 1)
      let after = min(before + 1, givenCount - 1)
      let part = place - Double(before)
      for channel in 0..<channelCount {
        let left: Int16 = samples.number(at: (before * channelCount + channel) * 2)
        let right: Int16 = samples.number(at: (after * channelCount + channel) * 2)
        let value = Double(left) + part * (Double(right) - Double(left))
        room.store(Int16(value.rounded()), at: (frame * channelCount + channel) * 2)
      }
    }
  }
}
