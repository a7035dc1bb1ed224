import TestSupport
import Testing

@testable import Media

/// From an encoder's byte stream to the samples in a file.
@Suite struct AVCSampleTests {
  private let sequence: [UInt8] = [0x67, 66, 0xC0, 30, 0xDA, 0x02]
  private let picture: [UInt8] = [0x68, 0xCE, 0x38, 0x80]
  private let delimiter: [UInt8] = [9, 0xF0]
  private let slice: [UInt8] = [0x65, 0x88, 0, 0, 3, 1, 0x80]
  private let short: [UInt8] = [0, 0, 1]
  private let long: [UInt8] = [0, 0, 0, 1]

  private var sets: ParameterSets {
    get throws { try unwrapped(parameterSets(of: long + sequence + long + picture)) }
  }

  private func prefixed(_ units: [UInt8]...) -> [UInt8] { units.flatMap { [0, 0, 0, UInt8($0.count)] + $0 } }

  private func byteCount(_ packet: [UInt8]) throws -> Int {
    try sampleByteCount(packet, sets)
  }

  @Test("start codes of three and four bytes become lengths; emulation bytes stay, zeros between units go")
  func startCodes() throws {
    let other: [UInt8] = [0x41, 0x9A, 0, 0, 3]
    for packet in [
      short + slice + short + other, long + slice + long + other, long + slice + [0, 0] + long + other + [0, 0, 0],
      [0, 0] + short + slice + short + short + other,
    ] {
      #expect(try sample(packet, sets) == prefixed(slice, other))
      #expect(try byteCount(packet) == prefixed(slice, other).count)
    }
  }

  @Test("delimiters and the sets of the sample description are left out; other sets and supplements stay")
  func leavesOut() throws {
    let supplement: [UInt8] = [6, 5, 1, 0x80]
    let newSequence: [UInt8] = [0x67, 66, 0xC0, 31, 0xDA, 0x02]
    let packet = long + delimiter + long + sequence + long + picture + short + supplement + short + slice
    #expect(try sample(packet, sets) == prefixed(supplement, slice))
    let changed = long + newSequence + long + picture + short + slice
    #expect(try sample(changed, sets) == prefixed(newSequence, slice))
  }

  @Test("a packet without a picture takes nothing in the file")
  func noPicture() throws {
    let packets = [
      [], [0], [0, 0], short, long, slice, [0, 0, 2] + slice, long + sequence + long + picture, long + delimiter,
      [UInt8](repeating: 0, count: 1_000),
    ]
    for packet in packets { #expect(try byteCount(packet) == 0, "\(packet.prefix(12))") }
  }

  @Test("however small the room, the sample is the same", arguments: 5...40)
  func smallRooms(roomByteCount: Int) throws {
    let stream = try Self.stream.get()
    let sets = try unwrapped(parameterSets(of: stream.packets[0]))
    for packet in stream.packets.prefix(3) {
      let whole = sample(packet, sets)
      let isSame = sample(packet, sets, roomByteCount: roomByteCount) == whole
      #expect(isSame)
      #expect(sampleByteCount(packet, sets) == whole.count)
    }
  }

  private static let stream = Result {
    try CodedStream(.init("main", 64, 48, keyframeInterval: 3, sliceCount: 2), pictureCount: 6)
  }

  @Test("damaged packets have the size foretold and never more than their bytes and lengths", arguments: 0..<8)
  func damage(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let stream = try Self.stream.get()
    for _ in 0..<200 {
      var packet = stream.packets[Int.random(in: 0..<6, using: &generator)]
      packet.removeLast(Int.random(in: 0...packet.count, using: &generator))
      for _ in 0..<Int.random(in: 0...20, using: &generator) where !packet.isEmpty {
        // Mostly zeros and ones, from which start codes are made.
        packet[Int.random(in: packet.indices, using: &generator)] = UInt8.random(in: 0...3, using: &generator)
      }
      let bytes = try sample(packet, sets)
      let foretold = try byteCount(packet)
      #expect(foretold == 0 || foretold == bytes.count)
      let units = CodedStream.units(packet).filter { !$0.isEmpty && !(9...12).contains($0[0] & 0x1F) }
      let kept = units.filter { $0 != sequence && $0 != picture }
      #expect(bytes == kept.flatMap { Self.prefixed($0) })
    }
  }

  private static func prefixed(_ unit: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: unit.count >> (24 - 8 * $0)) } + unit
  }

  @Test("parameter sets that cannot be named in a file are refused, each for its reason")
  func refusedSets() throws {
    func error(_ units: [UInt8]...) -> ParameterSetsError? {
      do throws(ParameterSetsError) {
        _ = try parameterSets(of: units.flatMap { long + $0 })
        return nil
      } catch {
        return error
      }
    }
    let large = sequence + [UInt8](repeating: 0xFF, count: 251)
    #expect(error(sequence) == .incomplete)
    #expect(error(picture, slice) == .incomplete)
    #expect(error([0x67, 66], picture) == .incomplete)
    #expect(error(large, picture) == .tooLarge(byteCount: 257))
    #expect(error(Array(large.dropLast()), picture) == nil)
    #expect(error(sequence, picture, [0x68, 1, 2]) == .several)
    #expect(error(sequence, picture, sequence, picture) == nil)
    #expect(error(slice) == nil)
    #expect(try parameterSets(of: long + slice + long + sequence) == nil)
  }
}
