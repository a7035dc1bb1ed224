/// A stretch of the movie that is written, and survives a power cut, as one: `moof` and `mdat`.
///
/// In the file: the fragment's header (``MovieDescription/fragmentHeaderByteCount(videoSampleCount:audioFrameCount:)``
/// bytes), then all its pictures, then all its audio. Write the media data first and synchronise, then the header: what
/// a header names is then always there, and a cut leaves zeros where the header would be, at which players stop.
public struct MovieFragment: Equatable, Sendable {
  /// 1 for the first fragment, one more for each.
  public var sequenceNumber: UInt32
  /// When the first picture is shown; the movie's first picture is at 0.
  public var videoStartTicks: UInt64
  /// The position of the first audio frame; the movie's first is 0, and there are no gaps.
  public var audioStartTicks: UInt64
  /// 0…``MovieLimits/audioFramesPerFragment``.
  public var audioFrameCount: Int

  /// A fragment whose pictures are named when its header is encoded.
  public init(sequenceNumber: UInt32, videoStartTicks: UInt64, audioStartTicks: UInt64, audioFrameCount: Int) {
    self.sequenceNumber = sequenceNumber
    self.videoStartTicks = videoStartTicks
    self.audioStartTicks = audioStartTicks
    self.audioFrameCount = audioFrameCount
  }
}
