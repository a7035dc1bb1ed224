/// What is said of a sample's independence (ISO/IEC 14496-12, 8.8.3.1).
enum SampleFlags {
  /// `sample_depends_on` 2: no other sample is needed for it.
  static var keyframe: UInt32 { 2 << 24 }

  /// `sample_depends_on` 1 and `sample_is_non_sync_sample`.
  static var dependent: UInt32 { 1 << 24 | 1 << 16 }
}
