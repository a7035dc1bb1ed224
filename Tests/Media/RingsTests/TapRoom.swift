import Foundation

@testable import Base

/// The buffer to which a tap copies packets.
@safe final class TapRoom {
  private let memory: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    unsafe memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0xEE)
  }

  deinit { unsafe memory.deallocate() }

  func copyNewest(with tap: PacketRingTap<UInt64>) -> TapReading<UInt64> {
    var room = unsafe MutableRawSpan(_unsafeBytes: memory)
    return tap.copyNewest(into: &room)
  }

  func copy(_ sequence: PictureNumber, with tap: PacketRingTap<UInt64>) -> TapReading<UInt64> {
    var room = unsafe MutableRawSpan(_unsafeBytes: memory)
    return tap.copy(sequence, into: &room)
  }

  func transfer(_ slot: PacketSlot<UInt64>, with tap: PacketRingTap<UInt64>) {
    var room = unsafe MutableRawSpan(_unsafeBytes: memory)
    tap.transfer(slot, into: &room)
  }

  var isUntouched: Bool { unsafe memory.allSatisfy { $0 == 0xEE } }

  /// Whether the buffer starts with a ``NumberedPacket``.
  func holds(_ packet: TappedPacket<UInt64>) -> Bool {
    let piece = unsafe UnsafeRawBufferPointer(rebasing: memory[..<packet.byteCount])
    return unsafe NumberedPacket.isIntact(packet.sequence, header: packet.header, piece)
  }

  /// The number of a complete ``NumberedPacket``; nil if none was copied.
  func sequence(of reading: TapReading<UInt64>) -> PictureNumber? {
    guard case .packet(let packet) = reading, holds(packet) else { return nil }
    return packet.sequence
  }

  /// Whether the buffer starts with a ``UniformPacket``.
  func holdsUniform(_ packet: TappedPacket<UInt64>) -> Bool {
    guard packet.header == packet.sequence.rawValue, packet.byteCount == UniformPacket.byteCount(packet.sequence) else {
      return false
    }
    guard packet.byteCount > 0 else { return true }
    return unsafe memory[0] == UniformPacket.byte(packet.sequence)
      && memcmp(memory.baseAddress!, memory.baseAddress! + 1, packet.byteCount - 1) == 0
  }
}
