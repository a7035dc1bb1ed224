import Base

/// A fragment: a piece of the movie that is written, and survives a power cut, as a whole (`moof` and `mdat`).
///
/// In the file: padding where ``FragmentPlace`` says so, the fragment's header, then all its pictures, then all its
/// audio. Write all but the first sector of the header first and synchronise, then that: what a header names is then
/// always in the file. A power cut in between leaves zeros in place of the header, and players stop there.
package struct MovieFragment: Equatable, Sendable {
  /// 1 for the first fragment, one more for each.
  package var sequenceNumber: UInt32
  /// When the first picture is shown; the movie's first picture is at 0.
  package var videoStartTicks: UInt64
  /// The position of the first audio frame; the movie's first is 0, and there are no gaps.
  package var audioStartTicks: UInt64
  /// 0…``MovieLimits/audioFramesPerFragment``.
  package var audioFrameCount: Int

  /// A fragment whose pictures are named when its header is encoded.
  package init(sequenceNumber: UInt32, videoStartTicks: UInt64, audioStartTicks: UInt64, audioFrameCount: Int) {
    self.sequenceNumber = sequenceNumber
    self.videoStartTicks = videoStartTicks
    self.audioStartTicks = audioStartTicks
    self.audioFrameCount = audioFrameCount
  }
}

/// A picture of the video track as a fragment lists it.
package struct MovieSample: BitwiseCopyable, Equatable, Sendable {
  /// Of the picture as it lies in the file.
  package var byteCount: UInt32
  /// How long it is shown, in ticks of ``MovieDescription/timescale``. For the last picture of a fragment this is a
  /// forecast: the finished file takes the start of the next fragment for its end.
  package var durationTicks: UInt32
  /// Whether it can be decoded without those before it.
  package var isKeyframe: Bool

  package init(byteCount: UInt32, durationTicks: UInt32, isKeyframe: Bool = true) {
    self.byteCount = byteCount
    self.durationTicks = durationTicks
    self.isKeyframe = isKeyframe
  }
}

/// What is said of a sample's independence (ISO/IEC 14496-12, 8.8.3.1).
enum SampleFlags {
  /// `sample_depends_on` 2: no other sample is needed for it.
  static var keyframe: UInt32 { 2 << 24 }

  /// `sample_depends_on` 1 and `sample_is_non_sync_sample`.
  static var dependent: UInt32 { 1 << 24 | 1 << 16 }
}

/// The flags of a track fragment. Only these are written, and repair accepts only these.
enum TrackRunLayout {
  /// ISO/IEC 14496-12, 8.8.7: `default-base-is-moof`.
  static var defaultBaseIsMovieFragment: UInt32 { 0x02_0000 }

  /// ISO/IEC 14496-12, 8.8.8: `data-offset-present`, `sample-duration-present`, `sample-size-present`.
  static var offsetDurationsAndSizes: UInt32 { 0x00_0001 | 0x00_0100 | 0x00_0200 }

  /// The same, and `sample-flags-present`: each entry says whether it is a keyframe, for one may lie anywhere in a
  /// fragment, or nowhere.
  static var offsetDurationsSizesAndFlags: UInt32 { offsetDurationsAndSizes | 0x00_0400 }

  /// Of an entry without flags: duration and size.
  static var entryByteCount: Int { 8 }

  /// Of an entry with its flags.
  static var flaggedEntryByteCount: Int { 12 }
}

/// The tracks of our movies by their track ID.
enum MovieTrack: UInt32 {
  case video = 1
  case audio = 2

  static var nextFreeNumber: UInt32 { 3 }
}

/// Where a fragment lies in the file: padding, header (`moof` and the head of `mdat`), media data.
///
/// A disk writes a sector whole or not at all, but of several sectors any. Players refuse a whole file in which a
/// header is torn. So the first ``lastByteCount`` bytes of the header lie in one sector and are written last, when all
/// of the fragment but them is safe: the header is there, or zeros are, at which players stop.
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
  /// with the media data, with zeros in ``FragmentPlace/lastRange``. At most ``MovieLimits/fragmentStartByteCount``
  /// bytes.
  @export(interface)
  package func encodeFragmentStart(
    _ fragment: MovieFragment, videoSamples: Span<MovieSample>, at place: FragmentPlace, into writer: inout ByteWriter
  ) {
    if place.paddingByteCount > 0 {
      writer.box("free") { writer in writer.zeros(place.paddingByteCount - 8) }
    }
    encodeFragmentHeader(fragment, videoSamples: videoSamples, into: &writer)
  }
}
