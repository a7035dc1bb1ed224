import Base
import Media

/// The pictures of a fragment that become samples of the movie, and how long each is shown.
struct FragmentPictures {
  /// Only the first ``count`` are valid.
  private(set) var samples = InlineArray<120, MovieSample>(repeating: MovieSample(byteCount: 0, durationTicks: 0))
  /// Their sequence numbers in the ring.
  private(set) var sequences = InlineArray<120, PictureNumber>(repeating: 0)
  private(set) var count = 0
  /// How many of the samples are none of the camera's.
  private(set) var standInCount = 0
  /// Packets that held no picture.
  private(set) var refusedCount = 0
  /// From where on the timeline the first picture is shown.
  private(set) var startPosition: TimelinePosition
  private var newestPosition: TimelinePosition = 0

  /// - Parameter startPosition: of the movie.
  init(startPosition: TimelinePosition) { self.startPosition = startPosition }

  /// Adds the next picture. If it has no bytes, the one before it is shown longer.
  mutating func append(
    _ sequence: PictureNumber, _ header: PictureHeader, from position: TimelinePosition, byteCount: Int
  ) {
    guard byteCount > 0 else { return refusedCount += 1 }
    end(at: header.samplePosition)
    if count == 0 { startPosition = position }
    newestPosition = position
    samples[count] = MovieSample(byteCount: UInt32(byteCount), durationTicks: 0, isKeyframe: header.isKeyframe)
    sequences[count] = sequence
    if header.isStandIn { standInCount += 1 }
    count += 1
  }

  /// Shows the newest picture until `position`, at least one tick.
  mutating func end(at position: TimelinePosition) {
    guard count > 0 else { return }
    samples[count - 1].durationTicks = UInt32(max(position, newestPosition + 1) - newestPosition)
  }
}
