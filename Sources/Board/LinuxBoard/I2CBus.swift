import CI2C
import CLinux
import Posix
import Text

/// An I2C bus, spoken to with SMBus transfers, which every adapter of the kernel has.
// Whoever ends the board ends this with it, from another module, and must see how.
@usableFromInline struct I2CBus: ~Copyable {
  private let descriptor: FileDescriptor
  private let readsBlocks: Bool

  /// - Returns: nil on failure; ``lastSystemError`` says why.
  init?(path: borrowing FixedText<64>) {
    guard let descriptor = FileDescriptor(path: path, flags: O_RDWR) else { return nil }
    i2c_limit_waiting(descriptor.number)
    readsBlocks = i2c_functions(descriptor.number) & UInt(I2C_FUNC_SMBUS_READ_I2C_BLOCK) != 0
    self.descriptor = descriptor
  }

  /// Talks to the chip at `address` from now on.
  /// - Returns: false when a driver of the kernel has it.
  func select(_ address: UInt8) -> Bool { i2c_select(descriptor.number, address) == 0 }

  /// - Returns: nil when nothing answers.
  func read(_ register: UInt8) -> UInt8? {
    UInt8(exactly: i2c_read_byte(descriptor.number, register))
  }

  func write(_ value: UInt8, to register: UInt8) -> Bool {
    i2c_write_byte(descriptor.number, register, value) == 0
  }

  /// In one transfer where the adapter can, so that no value is half old and half new.
  /// - Returns: nil when the chip does not answer.
  func readSixBytes(from first: UInt8, blockReadFlag: UInt8) -> InlineArray<6, UInt8>? {
    var bytes = InlineArray<6, UInt8>(repeating: 0)
    guard !readsBlocks else {
      var span = bytes.mutableSpan
      // Sound: the call fills exactly the six bytes.
      let result = unsafe span.withUnsafeMutableBufferPointer { room in
        unsafe i2c_read_six_bytes(descriptor.number, first | blockReadFlag, room.baseAddress!)
      }
      return result == 0 ? bytes : nil
    }
    for index in bytes.indices {
      guard let byte = read(first + UInt8(index)) else { return nil }
      bytes[index] = byte
    }
    return bytes
  }
}
