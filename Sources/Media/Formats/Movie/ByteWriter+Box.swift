extension ByteWriter {
  /// A box (QTFF calls it atom): its size and type, then what `content` writes (ISO/IEC 14496-12, 4.2).
  mutating func box(_ type: FourCharacterCode, _ content: (inout ByteWriter) -> Void) {
    let start = byteCount
    big32(0)
    code(type)
    content(&self)
    patchBig32(UInt32(byteCount - start), at: start)
  }

  /// A box that starts with a version and 24 flags (ISO/IEC 14496-12, 4.2, `FullBox`).
  mutating func fullBox(
    _ type: FourCharacterCode, version: UInt8 = 0, flags: UInt32 = 0, _ content: (inout ByteWriter) -> Void
  ) {
    box(type) { writer in
      writer.big32(UInt32(version) << 24 | flags)
      content(&writer)
    }
  }
}
