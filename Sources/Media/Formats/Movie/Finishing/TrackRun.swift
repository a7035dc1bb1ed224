/// What one fragment holds of one track, as read back from its `moof`.
struct TrackRun: BitwiseCopyable {
  /// Which of the movie's tracks, counted in the order of the first `moov`.
  var trackIndex = 0
  var startTicks: UInt64 = 0
  /// 0 when each entry is a sample of a size of its own; otherwise an entry is a packet of samples of this size.
  var commonSampleByteCount: UInt32 = 0
  /// Whether each entry says whether it is a keyframe; otherwise all are.
  var hasFlags = false
  /// From the fragment's start to the run's media data.
  var dataOffset: UInt64 = 0
  var byteCount: UInt64 = 0
  var sampleCount: UInt32 = 0
  var entryCount = 0
  /// The first ``entryCount`` are of use: 1,440 bytes on the stack for 120 pictures.
  var entries = InlineArray<120, MovieSample>(repeating: MovieSample(byteCount: 0, durationTicks: 0))
}
