import Base
import CI2C
import CLinux

/// An I2C bus, used through libi2c's SMBus transfers, which every adapter of the kernel offers.
package struct I2CBus: ~Copyable {
  private let descriptor: FileDescriptor
  private let readsBlocks: Bool

  /// - Returns: nil on failure; ``lastSystemError`` says why.
  init?(path: borrowing FixedText<64>) {
    guard let descriptor = FileDescriptor(path: path, flags: O_RDWR) else { return nil }
    i2c_limit_waiting(descriptor.number)
    readsBlocks = i2c_functions(descriptor.number) & UInt(I2C_FUNC_SMBUS_READ_I2C_BLOCK) != 0
    self.descriptor = descriptor
  }

  /// Selects the chip at `address` for all transfers that follow.
  /// - Returns: false when a kernel driver owns it.
  func select(_ address: UInt8) -> Bool { i2c_select(descriptor.number, address) == 0 }

  /// - Returns: nil when nothing answers.
  func read(_ register: UInt8) -> UInt8? {
    UInt8(exactly: i2c_smbus_read_byte_data(descriptor.number, register))
  }

  func write(_ value: UInt8, to register: UInt8) -> Bool {
    i2c_smbus_write_byte_data(descriptor.number, register, value) == 0
  }

  /// In one transfer where the adapter can, so that no value is half old and half new.
  /// - Returns: nil when the chip does not answer.
  func readSixBytes(from first: UInt8, blockReadFlag: UInt8) -> InlineArray<6, UInt8>? {
    var bytes = InlineArray<6, UInt8>(repeating: 0)
    if readsBlocks {
      // The longest block, however many bytes are asked for: libi2c copies as many as the adapter says that it read.
      var block = InlineArray<32, UInt8>(repeating: 0)
      var span = block.mutableSpan
      let count = unsafe span.withUnsafeMutableBufferPointer { block in
        unsafe i2c_smbus_read_i2c_block_data(descriptor.number, first | blockReadFlag, 6, block.baseAddress!)
      }
      guard count == 6 else { return nil }
      for index in bytes.indices { bytes[index] = block[index] }
    } else {
      for index in bytes.indices {
        guard let byte = read(first + UInt8(index)) else { return nil }
        bytes[index] = byte
      }
    }
    return bytes
  }
}
