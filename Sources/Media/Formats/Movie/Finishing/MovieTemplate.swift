/// Where in the first `moov` of a movie that grew in fragments lies what the finished `moov` takes over: everything
/// but `mvex`, which says that fragments follow.
struct MovieTemplate {
  private(set) var trackCount = 0
  private(set) var tracks = InlineArray<2, TrackTemplate>(repeating: TrackTemplate())
  /// `mvhd`.
  private(set) var head = 0..<0
  /// Metadata, and the room beside them.
  private(set) var tail = 0..<0
  private var durationOffset = 0

  /// - Parameter bytes: start with the `moov`.
  init?(_ bytes: RawSpan) {
    guard let movie = bytes.box(in: 0..<bytes.byteCount), movie.type == "moov",
      let header = bytes.box(in: movie.content), header.type == "mvhd",
      let extends = bytes.firstBox("mvex", in: movie.content), extends.end == movie.end
    else { return nil }
    head = header.range
    durationOffset = header.contentStart + 24
    var rest = header.end..<extends.start
    while let track = bytes.box(in: rest), track.type == "trak" {
      guard trackCount < tracks.count, let template = TrackTemplate(bytes, track: track) else { return nil }
      tracks[trackCount] = template
      trackCount += 1
      rest = track.end..<extends.start
    }
    tail = rest
  }

  func trackIndex(trackID: UInt32) -> Int? {
    for index in 0..<trackCount where tracks[index].trackID == trackID { return index }
    return nil
  }

  /// Makes the copy in `moov` say how long the finished movie is.
  func complete(_ moov: inout MutableRawSpan, durationTicks: UInt64) {
    moov.storeBig64(durationTicks, at: durationOffset)
  }
}
