/// How far the packets of the open item have been read into its three buffers.
public struct PacketReading: BitwiseCopyable, Equatable, Sendable {
  /// The number of the packet that the next read begins with; of PCM a packet is one sample frame.
  public var nextPacket: UInt64
  /// Reads that gave packets.
  public var readCount: UInt32
  /// Reads at the end of the file, that gave none.
  public var emptyReadCount: UInt32

  /// A state of reading; nothing was read yet when left out.
  public init(nextPacket: UInt64 = 0, readCount: UInt32 = 0, emptyReadCount: UInt32 = 0) {
    self.nextPacket = nextPacket
    self.readCount = readCount
    self.emptyReadCount = emptyReadCount
  }
}
