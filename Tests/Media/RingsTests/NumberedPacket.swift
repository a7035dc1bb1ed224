import Base
import TestSupport

/// Packets whose header and bytes follow from their sequence number, so that a reader can detect torn, lost and
/// repeated packets.
enum NumberedPacket {
  private static func header(_ sequence: PictureNumber) -> UInt64 { sequence.rawValue ^ 0xA5A5 }

  private static func byte(_ sequence: PictureNumber, at index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: sequence.rawValue &* 151 &+ UInt64(index) &* 7)
  }

  /// Writes the whole acquired space, as an encoder may, and commits the first `byteCount` bytes.
  /// - Returns: false if the ring had no space.
  static func write(
    byteCount: Int, maximumByteCount: Int, to producer: inout PacketRingProducer<UInt64>
  ) -> Bool {
    let sequence = producer.end
    guard begin(byteCount: maximumByteCount, in: &producer) else { return false }
    producer.commit(header(sequence), byteCount: byteCount)
    return true
  }

  /// Writes a packet without committing it.
  /// - Returns: false if the ring had no space.
  @discardableResult static func begin(byteCount: Int, in producer: inout PacketRingProducer<UInt64>) -> Bool {
    let sequence = producer.end
    guard var room = producer.acquire(maximumByteCount: byteCount) else { return false }
    for index in 0..<byteCount {
      room.storeBytes(of: byte(sequence, at: index), toByteOffset: index, as: UInt8.self)
    }
    return true
  }

  static func mustWrite(
    byteCount: Int, maximumByteCount: Int, to producer: inout PacketRingProducer<UInt64>
  ) throws {
    guard write(byteCount: byteCount, maximumByteCount: maximumByteCount, to: &producer) else { throw NothingThere() }
  }

  static func isIntact(
    _ sequence: PictureNumber, byteCount: Int, in consumer: borrowing PacketRingConsumer<UInt64>
  ) -> Bool {
    guard consumer.byteCount(at: sequence) == byteCount else { return false }
    let bytes = consumer.bytes(at: sequence)
    guard bytes.byteCount == byteCount else { return false }
    return unsafe bytes.withUnsafeBytes { unsafe isIntact(sequence, header: consumer.header(at: sequence), $0) }
  }

  static func isIntact(_ sequence: PictureNumber, header: UInt64, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard header == self.header(sequence) else { return false }
    for index in bytes.indices {
      guard unsafe bytes[index] == byte(sequence, at: index) else { return false }
    }
    return true
  }
}
