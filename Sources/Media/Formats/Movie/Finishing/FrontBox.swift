/// The box behind `ftyp`: `free` while the movie grows, the head of the one `mdat` once it is finished.
///
/// Its 16 bytes are a 32-bit size, a type and a 64-bit size, of which a growing movie does not use the last
/// (ISO/IEC 14496-12, 4.2). The last is written first; after that, whichever bytes of the first eight a cut lets
/// through, the file stays whole: size 16 skips these bytes alone, size 1 everything up to the finished `moov`.
enum FrontBox {
  static var byteCount: Int { 16 }

  /// A 32-bit size of 1: the size stands behind the type, in 64 bits.
  static var sizeIsIn64Bits: UInt32 { 1 }
}
