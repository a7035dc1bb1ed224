import Base
import Foundation

/// Packets of one repeated byte, which can be written and checked at memory speed.
enum UniformPacket {
  static func byteCount(_ sequence: PictureNumber) -> Int { Int((sequence.rawValue &* 2_654_435_761) >> 7 % 3_000) }

  static func byte(_ sequence: PictureNumber) -> UInt8 { UInt8(sequence.rawValue % 251) }

  static func write(to producer: inout PacketRingProducer<UInt64>) -> Bool {
    let sequence = producer.end
    let count = byteCount(sequence)
    guard var room = producer.acquire(maximumByteCount: count) else { return false }
    unsafe room.withUnsafeMutableBytes { room in
      if let start = room.baseAddress { unsafe memset(start, Int32(byte(sequence)), room.count) }
    }
    producer.commit(sequence.rawValue, byteCount: count)
    return true
  }
}
