import Formats
import Values

/// The pictures of a stretch that become samples of its movie, and how long each is shown.
struct StretchPictures {
  /// The first ``count`` are of use.
  private(set) var samples = InlineArray<120, MovieSample>(repeating: MovieSample(byteCount: 0, durationTicks: 0))
  /// Their sequence numbers in the ring.
  private(set) var sequences = InlineArray<120, UInt64>(repeating: 0)
  private(set) var count = 0
  /// Packets that held no picture.
  private(set) var refusedCount = 0
  /// Where the first picture is shown from.
  private(set) var startPosition: UInt64
  private var newestPosition: UInt64 = 0

  /// - Parameter startPosition: of the movie.
  init(startPosition: UInt64) { self.startPosition = startPosition }

  /// Adds the next picture, unless it has no bytes: then the one before it is shown longer.
  mutating func append(_ sequence: UInt64, _ header: PictureHeader, from position: UInt64, byteCount: Int) {
    guard byteCount > 0 else { return refusedCount += 1 }
    end(at: header.samplePosition)
    if count == 0 { startPosition = position }
    newestPosition = position
    samples[count] = MovieSample(byteCount: UInt32(byteCount), durationTicks: 0, isKeyframe: header.isKeyframe)
    sequences[count] = sequence
    count += 1
  }

  /// The newest picture is shown until `position`, but a tick at least.
  mutating func end(at position: UInt64) {
    guard count > 0 else { return }
    samples[count - 1].durationTicks = UInt32(max(position, newestPosition + 1) - newestPosition)
  }
}
