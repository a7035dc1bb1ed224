import Base
import TestSupport
import Testing

@testable import Wire

@Suite struct ReceiverBuffersTests {
  @Test("Playing begins when all three buffers are filled, not before")
  func beginsFull() throws {
    var rig = try BufferRig(.constant)
    #expect(try rig.put([UInt8](repeating: 1, count: 3 * 2048 - 1)) == 3 * 2048 - 1)
    #expect(rig.buffers.state == .filling)
    #expect(rig.next.isEmpty)
    #expect(try rig.put([2]) == 1)
    #expect(rig.buffers.state == .playing)
    #expect(rig.next.count == 2048)
  }

  @Test("A packet of a constant rate is split between two buffers, and taken as far as there is room")
  func splitsConstant() throws {
    var rig = try BufferRig(.constant)
    let packet = (0..<7000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    #expect(try rig.put(packet) == 6144)
    #expect(try rig.put([1]) == 0)
    #expect(rig.next == Array(packet[..<2048]))
    rig.buffers.releaseNext()
    #expect(try rig.put(Array(packet[6144...])) == 7000 - 6144)
    #expect(rig.next == Array(packet[2048..<4096]))
  }

  @Test("A packet of a variable rate stays whole: the buffer is played as full as it is")
  func keepsVariableWhole() throws {
    var rig = try BufferRig(.variable)
    for value in 1...3 as ClosedRange<UInt8> { #expect(try rig.put([UInt8](repeating: value, count: 1500)) == 1500) }
    #expect(rig.buffers.state == .filling)
    #expect(try rig.put([UInt8](repeating: 4, count: 549)) == 0)
    #expect(rig.buffers.state == .playing)
    #expect(rig.next == [UInt8](repeating: 1, count: 1500))
    rig.buffers.releaseNext()
    #expect(try rig.put([UInt8](repeating: 4, count: 549)) == 549)
  }

  @Test("A packet of a variable rate that no buffer can hold is an error, one of a constant rate is not")
  func refusesLong() throws {
    var variable = try BufferRig(.variable)
    #expect(throws: ReceiverBuffers.Problem.packetTooLong) { _ = try variable.put([UInt8](repeating: 0, count: 2049)) }
    #expect(try variable.put([UInt8](repeating: 0, count: 2048)) == 2048)
    var constant = try BufferRig(.constant)
    #expect(try constant.put([UInt8](repeating: 0, count: 2049)) == 2049)
  }

  @Test(
    "At the end what is left is played, also less than three buffers, and then end and error are told apart",
    arguments: [ReceiverBuffers.Ending.finished, .failed])
  func tellsEnds(ending: ReceiverBuffers.Ending) throws {
    var rig = try BufferRig(.constant)
    _ = try rig.put([UInt8](repeating: 5, count: 3000))
    rig.buffers.end(ending)
    #expect(try rig.put([6]) == 0)
    #expect(rig.buffers.state == .playing)
    #expect(rig.next.count == 2048)
    rig.buffers.releaseNext()
    #expect(rig.next.count == 952)
    rig.buffers.releaseNext()
    #expect(rig.buffers.state == .ended(ending))
    #expect(rig.next.isEmpty)
  }

  @Test("A stream without a packet ends at once")
  func endsEmpty() throws {
    var rig = try BufferRig(.variable)
    rig.buffers.end(.finished)
    rig.buffers.end(.failed)
    #expect(rig.buffers.state == .ended(.finished))
  }

  @Test(
    "Every byte comes out once, in its order, and packets of a variable rate whole", arguments: 0..<6 as Range<UInt64>)
  func losesNothing(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rate: ReceiverBuffers.Rate = seed % 2 == 0 ? .constant : .variable
    var rig = try BufferRig(rate)
    var given: [UInt8] = []
    var bounds: Set<Int> = [0]
    var played: [UInt8] = []
    func play() {
      let next = rig.next
      played += next
      if rate == .variable, !next.isEmpty { #expect(bounds.contains(played.count)) }
      rig.buffers.releaseNext()
    }
    for _ in 0..<2000 {
      var packet = (0..<Int.random(in: 1...2048, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      given += packet
      bounds.insert(given.count)
      while !packet.isEmpty {
        let taken = try rig.put(packet)
        packet.removeFirst(taken)
        if taken == 0 || Bool.random(using: &generator) { play() }
      }
    }
    rig.buffers.end(.finished)
    for _ in 0..<4 { play() }
    #expect(played == given)
    #expect(rig.buffers.state == .ended(.finished))
  }
}

private struct BufferRig: ~Copyable {
  var buffers: ReceiverBuffers

  init(_ rate: ReceiverBuffers.Rate) throws {
    var memory = leakedBootMemory()
    buffers = try unwrapped(ReceiverBuffers(rate, in: &memory))
  }

  mutating func put(_ packet: [UInt8]) throws -> Int {
    try unsafe buffers.put(packet.span.bytes)
  }

  var next: [UInt8] {
    var copy: [UInt8] = []
    for index in 0..<buffers.next.byteCount { copy.append(buffers.next.byte(at: index)) }
    return copy
  }
}
