import Base
import Testing
import Wire

@Suite struct PositionWatchTests {
  private static let home = GeoPoint(latitude: 481_173_000, longitude: 115_166_667)
  private static let far = GeoPoint(latitude: 491_173_000, longitude: 115_166_667)
  private static let start: Int64 = 1_795_350_600

  private func instant(_ second: Int) -> Instant { Instant(UInt64(second) * 1_000_000_000) }

  /// Tells a place once a second.
  private func tell(
    _ watch: inout PositionWatch, _ point: GeoPoint?, _ seconds: Range<Int>, from start: Int64 = Self.start
  ) {
    for second in seconds {
      let time = (start + Int64(second)) * 1_000_000_000
      watch.take(.minimum(point, unixNanoseconds: point == nil ? nil : time), at: instant(second))
    }
  }

  private func watch() -> PositionWatch { PositionWatch(plausibleUnixSeconds: 1_767_225_600..<4_102_444_800) }

  @Test("a receiver is silent, searches, has a fix, and loses it")
  func states() {
    var watch = self.watch()
    #expect(watch.state(at: instant(0)) == .silent)
    tell(&watch, nil, 1..<3)
    #expect(watch.state(at: instant(3)) == .searching)
    tell(&watch, Self.home, 3..<7)
    #expect(watch.state(at: instant(7)) == .searching)
    tell(&watch, Self.home, 7..<8)
    #expect(watch.state(at: instant(8)) == .fixed(Self.home))
    tell(&watch, nil, 8..<20)
    #expect(watch.state(at: instant(19)) == .searching)
    #expect(watch.state(at: instant(40)) == .silent)
  }

  @Test("a jump is believed only once the receiver has told it five times in a row")
  func jump() {
    var watch = self.watch()
    tell(&watch, Self.home, 1..<10)
    tell(&watch, Self.far, 10..<12)
    tell(&watch, Self.home, 12..<14)
    #expect(watch.state(at: instant(14)) == .fixed(Self.home))
    #expect(watch.jumpCount == 2)
    tell(&watch, Self.far, 14..<19)
    #expect(watch.state(at: instant(19)) == .fixed(Self.far))
  }

  @Test("walking over the date line and around a pole is no jump")
  func seams() {
    var watch = self.watch()
    tell(&watch, GeoPoint(latitude: 0, longitude: 1_799_999_990), 1..<10)
    let beyond = GeoPoint(latitude: 0, longitude: -1_799_999_990)
    tell(&watch, beyond, 10..<11)
    #expect(watch.state(at: instant(11)) == .fixed(beyond))
    var polar = self.watch()
    tell(&polar, GeoPoint(latitude: 899_999_900, longitude: 0), 1..<10)
    let opposite = GeoPoint(latitude: 899_999_900, longitude: 1_800_000_000)
    tell(&polar, opposite, 10..<11)
    #expect(polar.state(at: instant(11)) == .fixed(opposite))
    #expect(polar.jumpCount == 0)
  }

  @Test("a time is believed after five that fit, and not from weeks counted wrong")
  func time() {
    var watch = self.watch()
    tell(&watch, Self.home, 1..<5)
    #expect(watch.time(at: instant(5)) == nil)
    tell(&watch, Self.home, 5..<6)
    #expect(watch.time(at: instant(6))?.unixNanoseconds == (Self.start + 5) * 1_000_000_000)
    tell(&watch, Self.home, 6..<7, from: Self.start + 60)
    #expect(watch.time(at: instant(7)) == nil)
    tell(&watch, Self.home, 7..<20, from: Self.start - 1024 * 7 * 86_400)
    #expect(watch.time(at: instant(20)) == nil)
    #expect(watch.state(at: instant(20)) == .fixed(Self.home))
    // The minute, and each second of the wrong weeks.
    #expect(watch.refusedTimeCount == 14)
  }

  @Test("a time that is told twice a second, by two systems, is believed, and one that stands still is not")
  func twice() {
    var watch = self.watch()
    for second in 0..<6 {
      for delay in [0, 120_000_000] as [UInt64] {
        let time = (Self.start + Int64(second)) * 1_000_000_000
        watch.take(.minimum(Self.home, unixNanoseconds: time), at: instant(second) + delay)
      }
    }
    #expect(watch.time(at: instant(6))?.unixNanoseconds == (Self.start + 5) * 1_000_000_000)
    var still = self.watch()
    for tenth in 0..<100 {
      let time = Self.start * 1_000_000_000
      still.take(.minimum(Self.home, unixNanoseconds: time), at: instant(0) + UInt64(tenth) * 100_000_000)
    }
    #expect(still.time(at: instant(10)) == nil)
  }

  @Test("a sentence that is read a second late is no refused time")
  func unevenTime() {
    var watch = self.watch()
    tell(&watch, Self.home, 1..<10)
    watch.take(.minimum(Self.home, unixNanoseconds: (Self.start + 10) * 1_000_000_000), at: instant(11))
    watch.take(.minimum(Self.home, unixNanoseconds: (Self.start + 11) * 1_000_000_000), at: instant(11))
    #expect(watch.time(at: instant(11)) == nil && watch.refusedTimeCount == 0)
    tell(&watch, Self.home, 12..<17)
    #expect(watch.time(at: instant(17)) != nil && watch.refusedTimeCount == 0)
  }

  @Test("how good the fix is, is told with the fix, and an altitude only if the fix has one")
  func quality() {
    var watch = self.watch()
    let quality = FixQuality(satelliteCount: 8, dilution: 90, altitudeDecimetres: 5454)
    watch.take(.quality(quality), at: instant(5))
    #expect(watch.quality(at: instant(5)) == FixQuality())
    tell(&watch, Self.home, 1..<6)
    #expect(watch.quality(at: instant(6)) == FixQuality(satelliteCount: 8, dilution: 90))
    watch.take(.dimensions(hasAltitude: true), at: instant(6))
    #expect(watch.quality(at: instant(6)) == quality)
  }
}
