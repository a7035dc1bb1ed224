import Testing
import Wire

@Suite struct NetworkPlaceTests {
  @Test(
    "Addresses of this machine, this link and private networks are local",
    arguments: [
      (0x7F00_0001, true), (0x7FFF_FFFF, true), (0x0A00_0001, true), (0xAC10_0000, true), (0xAC1F_FFFF, true),
      (0xC0A8_0101, true), (0xA9FE_A9FE, true), (0, true), (0x6440_0001, true), (0xE000_0001, true),
      (0xFFFF_FFFF, true), (0x0808_0808, false), (0xAC20_0000, false), (0xAC0F_FFFF, false), (0xC0A9_0000, false),
      (0x0B00_0000, false), (0x5DB8_D822, false),
    ] as [(UInt32, Bool)])
  func knowsVersion4(address: UInt32, isLocal: Bool) {
    #expect(NetworkPlace(version4: address) == (isLocal ? .local : .everywhere))
    // The same, as IPv6 addresses that represent it.
    for high: UInt64 in [0, 0x0064_FF9B_0000_0000] where address > 1 || high > 0 {
      let low = high == 0 ? 0xFFFF_0000_0000 | UInt64(address) : UInt64(address)
      #expect(NetworkPlace(version6: high, low) == (isLocal ? .local : .everywhere))
    }
  }

  @Test(
    "So are those of version 6",
    arguments: [
      (0, 1, true), (0, 0, true), (0xFE80_0000_0000_0000, 1, true), (0xFC00_0000_0000_0000, 1, true),
      (0xFD12_3456_789A_0001, 1, true), (0xFF02_0000_0000_0000, 1, true), (0x2001_4860_4860_0000, 0x8888, false),
      (0x2002_7F00_0001_0000, 1, true), (0x2002_0808_0808_0000, 1, false),
    ] as [(UInt64, UInt64, Bool)])
  func knowsVersion6(high: UInt64, low: UInt64, isLocal: Bool) {
    #expect(NetworkPlace(version6: high, low) == (isLocal ? .local : .everywhere))
  }
}
