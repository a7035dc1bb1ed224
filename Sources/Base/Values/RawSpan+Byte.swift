extension RawSpan {
  /// The byte at `offset`, which lies inside.
  package func byte(at offset: Int) -> UInt8 {
    // Sound: every pattern of bits is a byte, and the load checks where it lies.
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
