import Testing
import Wire

@Suite struct BackOffTests {
  @Test("At first soon, then once a second, for two minutes")
  func spreads() {
    var backOff = BackOff()
    var pauses: [UInt32] = []
    while let pause = backOff.next() { pauses.append(pause) }
    #expect(pauses.prefix(5) == [125, 250, 500, 1000, 1000])
    #expect(pauses.allSatisfy { $0 <= 1000 })
    #expect((110_000...125_000).contains(pauses.reduce(0, +)))
    #expect(backOff.next() == nil)
  }

  @Test("Sound renews the budget")
  func renews() {
    var backOff = BackOff()
    for _ in 0..<1000 {
      for _ in 0..<100 { #expect(backOff.next() != nil) }
      backOff.renew()
      #expect(backOff == BackOff())
    }
  }
}
