import Foundation
import Rings

/// Packets of one byte repeated, that are written and checked as fast as memory is.
enum UniformPacket {
  static func byteCount(_ sequence: UInt64) -> Int { Int((sequence &* 2_654_435_761) >> 7 % 3_000) }

  static func byte(_ sequence: UInt64) -> UInt8 { UInt8(sequence % 251) }

  static func write(to producer: inout PacketRingProducer<UInt64>) -> Bool {
    let sequence = producer.end
    let count = byteCount(sequence)
    guard var room = producer.acquire(maximumByteCount: count) else { return false }
    unsafe room.withUnsafeMutableBytes { room in
      if let start = room.baseAddress { unsafe memset(start, Int32(byte(sequence)), room.count) }
    }
    producer.commit(sequence, byteCount: count)
    return true
  }
}
