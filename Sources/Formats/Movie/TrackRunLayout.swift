/// The flags that say what a track fragment of ours contains: the encoder writes no other, the repair takes no other.
enum TrackRunLayout {
  /// ISO/IEC 14496-12, 8.8.7: `default-base-is-moof`.
  static var defaultBaseIsMovieFragment: UInt32 { 0x02_0000 }

  /// ISO/IEC 14496-12, 8.8.8: `data-offset-present`, `sample-duration-present`, `sample-size-present`.
  static var offsetDurationsAndSizes: UInt32 { 0x00_0001 | 0x00_0100 | 0x00_0200 }
}
