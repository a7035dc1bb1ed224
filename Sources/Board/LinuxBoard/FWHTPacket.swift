/// What is read of a packet of `vicodec`, whose driver does not mark keyframes: it says so in the packet itself (Linux,
/// `struct fwht_cframe_hdr`, and `V4L2_FWHT_FL_I_FRAME` of `v4l2-controls.h`).
enum FWHTPacket {
  private static let headerByteCount = 44
  private static let flagsOffset = 20
  private static let intraFrame: UInt32 = 1 << 10

  /// Whether the picture can be decoded without those before it.
  static func isKeyframe(_ packet: UnsafeRawBufferPointer) -> Bool {
    guard packet.count >= headerByteCount else { return false }
    let flags = unsafe UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: flagsOffset, as: UInt32.self))
    return flags & intraFrame != 0
  }
}
