/// Where an address of the Internet Protocol lies.
package enum NetworkPlace: Equatable, Sendable {
  /// Anywhere.
  case everywhere
  /// This machine, this link or a private network: only who is there can name it, so no server may lead there.
  case local

  /// Of an address of version 4, its first byte highest (RFC 6890 has the list).
  package init(version4 address: UInt32) {
    func isIn(_ network: UInt32, _ bits: UInt32) -> Bool { address >> (32 - bits) == network >> (32 - bits) }
    let isLocal =
      isIn(0x7F00_0000, 8) || isIn(0x0A00_0000, 8) || isIn(0xAC10_0000, 12) || isIn(0xC0A8_0000, 16)
      || isIn(0xA9FE_0000, 16) || isIn(0x0000_0000, 8) || isIn(0x6440_0000, 10) || isIn(0xC612_0000, 15)
      || isIn(0xE000_0000, 3)
    self = isLocal ? .local : .everywhere
  }

  /// Of an address of version 6, as two numbers, the first bytes highest. One that stands for an address of version 4 is
  /// where that is.
  package init(version6 high: UInt64, _ low: UInt64) {
    let isEmbedded = high == 0 && (low >> 32 == 0xFFFF || low >> 32 == 0) || high == 0x0064_FF9B_0000_0000
    if isEmbedded, low > 1 {
      self.init(version4: UInt32(truncatingIfNeeded: low))
    } else if high >> 48 == 0x2002 {
      self.init(version4: UInt32(truncatingIfNeeded: high >> 16))
    } else {
      // Only 2000::/3 is given to networks that can be reached from everywhere.
      self = high >> 61 == 1 ? .everywhere : .local
    }
  }
}
