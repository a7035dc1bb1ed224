/// Every bound of an encoder, with the arithmetic that justifies it.
enum EncoderLimits {
  /// Buffers that pictures are copied into: one is coded, one waits, and two more bridge 66 ms of a camera of 30 a second.
  static var copiedPictures: Int { 4 }

  /// Buffers for packets: 200 ms at 30 a second, in which the worker takes them.
  static var packetBuffers: Int { 6 }

  /// Most buffers that a queue may have, whatever a driver grants: as many as a camera's.
  static var maximumBuffers: Int { 8 }

  /// Pixels for each byte that a packet may have: a keyframe of noise takes about a byte a pixel.
  static var pixelsPerPacketByte: UInt32 { 1 }
}
