import Base

/// Where a fragment lies in the file: padding, header (`moof` and the head of `mdat`), media data.
///
/// A disk writes a sector whole or not at all, but of several sectors any. Players refuse a whole file in which a header
/// is torn. So the first ``lastByteCount`` bytes of the header lie in one sector and are written last, when all of the
/// fragment but them is safe: the header is there, or zeros are, at which players stop.
package struct FragmentPlace: Equatable, Sendable {
  /// Where the fragment before it ends.
  package let start: UInt64
  /// Bytes of the `free` box in front of the header: 0, or 8…``longestPaddingByteCount``.
  package let paddingByteCount: Int
  /// Bytes of the header.
  package let headerByteCount: Int

  /// The next place behind `end` for a fragment with such a header.
  package init(behind end: UInt64, headerByteCount: Int) {
    start = end
    self.headerByteCount = headerByteCount
    let sector = MovieLimits.sectorByteCount
    let left = sector - Int(end % UInt64(sector))
    let isFitting = min(headerByteCount, sector) <= left
    // A box has at least the eight bytes of its own head.
    paddingByteCount = isFitting ? 0 : left < 8 ? left + sector : left
  }

  /// Where the header is.
  package var headerStart: UInt64 { start + UInt64(paddingByteCount) }
  /// Where the media data are.
  package var mediaStart: UInt64 { headerStart + UInt64(headerByteCount) }
  /// How much of the header is written last: all that fits in a sector.
  package var lastByteCount: Int { min(headerByteCount, MovieLimits.sectorByteCount) }
  /// Where that lies behind ``start``.
  package var lastRange: Range<Int> { paddingByteCount..<paddingByteCount + lastByteCount }

  /// Up to 7 bytes of one sector, and all of the next.
  static var longestPaddingByteCount: Int { MovieLimits.sectorByteCount + 7 }

  /// Bytes of the padding with which `bytes` begin; 0 if they begin otherwise.
  static func paddingByteCount(of bytes: RawSpan) -> Int {
    guard let box = bytes.box(in: 0..<bytes.byteCount), box.type == "free",
      box.range.count <= longestPaddingByteCount
    else { return 0 }
    return box.range.count
  }
}

extension MovieDescription {
  /// Where the next fragment behind `end` lies. Known from the counts alone, so that the media data can be written
  /// before the header is.
  package func fragmentPlace(behind end: UInt64, videoSampleCount: Int, audioFrameCount: Int) -> FragmentPlace {
    FragmentPlace(
      behind: end,
      headerByteCount: fragmentHeaderByteCount(videoSampleCount: videoSampleCount, audioFrameCount: audioFrameCount))
  }

  /// What stands between ``FragmentPlace/start`` and the media data: the padding and the header. It is written together
  /// with the media data, with zeros in ``FragmentPlace/lastRange``. At most ``MovieLimits/fragmentStartByteCount`` bytes.
  package func encodeFragmentStart(
    _ fragment: MovieFragment, videoSamples: Span<MovieSample>, at place: FragmentPlace, into writer: inout ByteWriter
  ) {
    if place.paddingByteCount > 0 {
      writer.box("free") { writer in writer.zeros(place.paddingByteCount - 8) }
    }
    encodeFragmentHeader(fragment, videoSamples: videoSamples, into: &writer)
  }
}
