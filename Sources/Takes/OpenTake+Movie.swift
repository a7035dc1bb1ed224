import Board
import Formats
import Media
import Rings

extension OpenTake where File: ~Copyable {
  /// Writes a fragment: first its media data, made safe, then the header that names it, made safe too. A cut in between
  /// leaves zeros where the header would be, at which every player stops.
  mutating func writeFragment(
    _ movie: MovieDescription, to cut: TakeCut, from tracks: borrowing RecordedTracks, scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    var pictures = InlineArray<120, MovieSample>(repeating: MovieSample(byteCount: 0, durationTicks: 0))
    let pictureCount = listPictures(to: cut, from: tracks, into: &pictures)
    let audioFrames = movie.audio == nil ? 0 : Int(cut.position - writtenPosition)
    guard pictureCount > 0 || audioFrames > 0 else { return writtenPosition = cut.position }
    let fragment = MovieFragment(
      sequenceNumber: stretchCount + 1, videoStartTicks: videoStart(from: tracks),
      audioStartTicks: writtenPosition - startPosition, audioFrameCount: audioFrames)
    let headerByteCount = movie.fragmentHeaderByteCount(
      videoSampleCount: pictureCount, audioFrameCount: audioFrames)
    var end = byteCount + UInt64(headerByteCount)
    for sequence in nextPicture..<cut.endPicture { try append(tracks.pictures.bytes(at: sequence), at: &end) }
    if audioFrames > 0 { try appendSamples(to: cut.position, from: tracks, at: &end) }
    try file.synchronise()
    try writeHeader(of: fragment, movie, samples: pictures.span.extracting(first: pictureCount), scratch: &scratch)
    noteStretch(end: end, to: cut, pictureCount: pictureCount, audioFrameCount: audioFrames)
  }

  private func listPictures(
    to cut: TakeCut, from tracks: borrowing RecordedTracks, into list: inout InlineArray<120, MovieSample>
  ) -> Int {
    let count = Int(cut.endPicture - nextPicture)
    for index in 0..<count {
      let sequence = nextPicture + UInt64(index)
      let isNewest = index + 1 == count
      let end = isNewest ? cut.position : tracks.pictures.header(at: sequence + 1).samplePosition
      let isMovieStart = sequence == nextPicture && videoFrameCount == 0
      let position = tracks.pictures.header(at: sequence).samplePosition
      let start = isMovieStart ? startPosition : max(position, startPosition)
      list[index] = MovieSample(
        byteCount: UInt32(tracks.pictures.byteCount(at: sequence)),
        durationTicks: UInt32(max(end, start + 1) - start))
    }
    return count
  }

  /// A movie's first picture is shown from its first instant on, however late it came.
  private func videoStart(from tracks: borrowing RecordedTracks) -> UInt64 {
    guard videoFrameCount > 0, nextPicture < tracks.pictures.end else { return 0 }
    return max(tracks.pictures.header(at: nextPicture).samplePosition, startPosition) - startPosition
  }

  private mutating func writeHeader(
    of fragment: MovieFragment, _ movie: MovieDescription, samples: Span<MovieSample>, scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    var room = scratch.mutableBytes
    var writer = ByteWriter(&room)
    movie.encodeFragmentHeader(fragment, videoSamples: samples, into: &writer)
    try file.write(writer.bytes, at: byteCount)
    try file.synchronise()
  }
}
