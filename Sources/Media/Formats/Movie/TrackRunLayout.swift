/// The flags that say what a track fragment of ours contains: the encoder writes no other, the repair takes no other.
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
