extension MutableRawSpan {
  /// Writes `source` from `offset` on; there must be room for all of it.
  package mutating func copy(_ source: RawSpan, to offset: Int = 0) {
    precondition(offset >= 0 && source.byteCount <= byteCount - offset, "more bytes to copy than there is room for")
    // Sound: both stay within their spans, as was just made sure.
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes {
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0)
      }
    }
  }
}
