import Base
import Testing
import Wire

@Suite struct NMEAReaderTests {
  /// 48°07.038' N 11°31.000' E.
  private static let munich = GeoPoint(latitude: 481_173_000, longitude: 115_166_667)

  /// What a fresh reader finds in the bytes, and how much of it was wrong.
  private func read(_ bytes: [UInt8]) -> (sentences: [ReceiverSentence], errorCount: UInt64) {
    var reader = NMEAReader()
    var sentences: [ReceiverSentence] = []
    for byte in bytes { if let sentence = reader.take(byte) { sentences.append(sentence) } }
    return (sentences, reader.errorCount)
  }

  private func read(_ bodies: String...) -> (sentences: [ReceiverSentence], errorCount: UInt64) {
    read(bodies.flatMap { sealed($0) })
  }

  @Test("a sentence of a textbook, with the checksum printed there, is understood")
  func textbook() {
    let found = read(Array("$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n".utf8))
    #expect(found.sentences == [.quality(FixQuality(satelliteCount: 8, dilution: 90, altitudeDecimetres: 5454))])
    #expect(found.errorCount == 0)
  }

  @Test("RMC tells place and time, whatever the satellites are called", arguments: ["GP", "GN", "GL", "GA", "GB"])
  func minimum(talker: String) {
    let found = read(talker + "RMC,123000.500,A,4807.038,N,01131.000,E,0.1,,221126,,,A")
    #expect(found.sentences == [.minimum(Self.munich, unixNanoseconds: 1_795_350_600_500_000_000)])
  }

  @Test("south and west are negative, and the pole and the date line are places")
  func halves() {
    let found = read(
      "GPRMC,123000,A,9000.000,S,18000.000,W,,,221126,,", "GPRMC,123000,A,0000.000,S,00000.006,W,,,221126,,")
    #expect(
      found.sentences == [
        .minimum(
          GeoPoint(latitude: -900_000_000, longitude: -1_800_000_000), unixNanoseconds: 1_795_350_600_000_000_000),
        .minimum(GeoPoint(latitude: 0, longitude: -1_000), unixNanoseconds: 1_795_350_600_000_000_000),
      ])
  }

  @Test("a receiver without a fix, and one that guesses, tells nothing")
  func void() {
    let found = read(
      "GPRMC,,V,,,,,,,,,,N", "GPRMC,123000,A,4807.038,N,01131.000,E,,,221126,,,E", "GPGGA,,,,,,0,,,,,,,,")
    #expect(
      found.sentences == [
        .minimum(nil, unixNanoseconds: nil), .minimum(nil, unixNanoseconds: nil), .quality(FixQuality()),
      ])
    #expect(found.errorCount == 0)
  }

  /// What gateways send while their receiver searches, wellenvogel/esp32-nmea2000 #38 and SignalK/nmea0183-signalk #140.
  @Test("a fix at 0, 0 is none, though the sentence vouches for it")
  func nowhere() {
    let found = read(
      "GPRMC,000000.00,A,0.000,N,0.000,E,0.0,0.0,050505,0.0,E", "GPRMC,123000,A,0000.000,N,00000.000,E,0,0,221126,,,A")
    #expect(found.sentences.isEmpty && found.errorCount == 2)
  }

  @Test("a leap second and a missing date leave the place without a time")
  func noTime() {
    let found = read(
      "GPRMC,235960,A,4807.038,N,01131.000,E,,,311226,,", "GPRMC,123000,A,4807.038,N,01131.000,E,,,,,")
    #expect(found.sentences == Array(repeating: .minimum(Self.munich, unixNanoseconds: nil), count: 2))
  }

  @Test("a receiver that does not know its weeks yet tells 1980 or 1999, and not a date to come")
  func oldDates() {
    let found = read(
      "GPRMC,000000,A,4807.038,N,01131.000,E,,,060180,,", "GPRMC,000000,A,4807.038,N,01131.000,E,,,220899,,")
    #expect(
      found.sentences == [
        .minimum(Self.munich, unixNanoseconds: 315_964_800_000_000_000),
        .minimum(Self.munich, unixNanoseconds: 935_280_000_000_000_000),
      ])
  }

  @Test(
    "nonsense in a sentence with a right checksum is counted, and says nothing",
    arguments: [
      "GPRMC,123000,A,9000.001,N,01131.000,E,,,221126,,", "GPRMC,123000,A,4860.000,N,01131.000,E,,,221126,,",
      "GPRMC,123000,A,4807.038,X,01131.000,E,,,221126,,", "GPRMC,123000,A,-807.038,N,01131.000,E,,,221126,,",
      "GPRMC,123000,A,4807.038,N,18000.001,E,,,221126,,", "GPRMC,123000,A,,,,,,,221126,,",
      "GPRMC,243000,A,4807.038,N,01131.000,E,,,221126,,", "GPRMC,123000,A,4807.038,N,01131.000,E,,,300226,,",
      "GPRMC", "GPGGA,123000,4807.038,N,01131.000,E,9999,08,0.9,1,M", "GPGSA,A,7",
    ])
  func nonsense(body: String) {
    let found = read(body)
    #expect(found.sentences.isEmpty)
    #expect(found.errorCount == 1)
  }

  @Test("values that stand for unknown are unknown")
  func unknown() {
    let found = read("GPGGA,123000,4807.038,N,01131.000,E,1,99,99.99,99999.9,M", "GPGSA,A,3", "GPZDA,1,2,3")
    #expect(found.sentences == [.quality(FixQuality(satelliteCount: 99)), .dimensions(hasAltitude: true), .other])
  }

  @Test("torn and overlong lines, binary bytes and wrong checksums cost only themselves")
  func noise() {
    let good = sealed("GPGSA,A,2")
    let torn = Array("$GPRMC,1230".utf8)
    let wrong = Array("$GPGSA,A,2*00\r\n".utf8)
    let binary: [UInt8] = [0xB5, 0x62, 0x24, 0x07, 0x00, 0x0A, 0xFF]
    let long = [UInt8(ascii: "$")] + Array(repeating: UInt8(ascii: "A"), count: 5000)
    let found = read(good + torn + good + wrong + binary + good + long + [0x0A] + good)
    #expect(found.sentences == Array(repeating: .dimensions(hasAltitude: false), count: 4))
    #expect(found.errorCount == 4)
  }

  /// A sentence with its checksum.
  private func sealed(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    return Array("$\(body)*".utf8) + [digits[Int(sum >> 4)], digits[Int(sum & 15)], 0x0D, 0x0A]
  }
}
