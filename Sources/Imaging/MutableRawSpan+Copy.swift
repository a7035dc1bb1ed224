extension MutableRawSpan {
  /// Writes `source` to the beginning; there must be room for all of it.
  mutating func copy(_ source: RawSpan) {
    precondition(source.byteCount <= byteCount, "more bytes to copy than there is room for")
    // Sound: both stay within their spans, as was just made sure.
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
  }
}
