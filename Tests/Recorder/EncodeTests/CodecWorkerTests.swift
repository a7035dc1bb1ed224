import Base
import Machine
import Record
import TestSupport
import Testing

@Suite struct CodecWorkerTests {
  @Test(
    "Packets come in order with the headers of their pictures, the encoder's keyframes marked, and buffers come back")
  func passesThrough() throws {
    var rig = try CodecRig()
    for sequence in 0..<40 as Range<UInt32> {
      try rig.deliver(sequence, buffer: Int(sequence) % CodecRig.cameraBufferCount)
      rig.work()
      let packet = try #require(rig.packetsCome().first)
      var expected = CodecRig.header(sequence)
      expected.isKeyframe = sequence % 10 == 0
      #expect(packet.header == expected)
      #expect(EncoderScript.timestamp(packet.bytes) == expected.instant.rawValue / 1000)
      let back = rig.buffersBack()
      #expect(back == [Int(sequence) % CodecRig.cameraBufferCount])
    }
    #expect(rig.counters.deliveredPictureCount == 40)
    #expect(rig.script.drainCount == 0)
  }

  @Test("Two pictures with the same instant are kept apart")
  func sameInstant() throws {
    let script = EncoderScript()
    script.keptPictures = 1
    var rig = try CodecRig(script)
    var header = CodecRig.header(3)
    for index in 0..<3 {
      header.cameraSequence = UInt32(index)
      _ = rig.rawPictures.push(
        RawPicture(bufferIndex: UInt16(index), byteCount: CodecRig.pictureByteCount, header: header))
    }
    rig.work()
    let sequences = rig.packetsCome().map(\.header.cameraSequence)
    #expect(sequences == [0, 1, 2])
  }

  @Test("An encoder that keeps pictures is drained when none has arrived for a while, and restarts with the next")
  func drains() throws {
    let script = EncoderScript()
    script.keptPictures = 3
    var rig = try CodecRig(script)
    for round in 0..<3 as Range<UInt32> {
      for index in 0..<6 { try rig.deliver(round * 6 + UInt32(index), buffer: index) }
      rig.work()
      let packets = rig.packetsCome()
      #expect(packets.map(\.header.cameraSequence) == (0..<6).map { round * 6 + $0 })
      #expect(packets[0].header.isKeyframe)
      let back = rig.buffersBack().sorted()
      #expect(back == [0, 1, 2, 3, 4, 5])
      #expect(script.drainCount == Int(round) + 1)
      #expect(script.startCount == Int(round) + 1)
    }
    #expect(rig.counters.failedPictureCount == 0)
  }

  @Test("When the ring is full, packets are dropped up to the next keyframe, which is requested once")
  func ringFull() throws {
    let script = EncoderScript()
    script.picturesPerKeyframe = 1000
    var rig = try CodecRig(script, capacityPackets: 3)
    for sequence in 0..<6 as Range<UInt32> {
      try rig.deliver(sequence, buffer: Int(sequence))
      rig.work()
    }
    let held = rig.packetsCome().map(\.header.cameraSequence)
    #expect(held == [0, 1, 2])
    #expect(script.keyframeRequestCount >= 1)
    #expect(rig.counters.droppedPictureCount == 3)
    for sequence in 6..<20 as Range<UInt32> {
      try rig.deliver(sequence, buffer: Int(sequence) % CodecRig.cameraBufferCount)
      rig.work()
      let come = rig.packetsCome()
      if let first = come.first, first.header.cameraSequence == 6 { #expect(first.header.isKeyframe) }
      _ = rig.buffersBack()
    }
    #expect(rig.counters.deliveredPictureCount + rig.counters.droppedPictureCount == 20)
  }

  @Test(
    "A damaged packet and a picture without a packet count as failed; delivery resumes with a keyframe")
  func damaged() throws {
    let script = EncoderScript()
    script.damagedPackets = [4]
    script.skippedPictures = [12]
    var rig = try CodecRig(script)
    var isDecodable = false
    var next: UInt32 = 0
    for sequence in 0..<40 as Range<UInt32> {
      try rig.deliver(sequence, buffer: Int(sequence) % CodecRig.cameraBufferCount)
      rig.work()
      _ = rig.buffersBack()
      for packet in rig.packetsCome() {
        if packet.header.cameraSequence != next { isDecodable = false }
        if packet.header.isKeyframe { isDecodable = true }
        #expect(isDecodable, "picture \(packet.header.cameraSequence)")
        next = packet.header.cameraSequence + 1
      }
    }
    #expect(rig.counters.failedPictureCount == 2)
    #expect(rig.counters.deliveredPictureCount + rig.counters.droppedPictureCount == 38)
    #expect(next == 40)
  }

  @Test("A failed encoder returns every buffer and reports why; once the loop agrees, pictures become JPEGs")
  func gone() throws {
    let script = EncoderScript()
    script.keptPictures = 3
    var rig = try CodecRig(script)
    for index in 0..<3 { try rig.deliver(UInt32(index), buffer: index) }
    for _ in 0..<5 { _ = rig.worker.step() }
    script.isGone = true
    try rig.deliver(3, buffer: 3)
    try rig.deliver(4, buffer: 4)
    rig.work()
    #expect(rig.status.phase == .failed)
    #expect(rig.status.failure?.kind == .absent)
    #expect(script.isClosed)
    let back = rig.buffersBack().sorted()
    #expect(back == [0, 1, 2, 3, 4])
    #expect(rig.counters.failedPictureCount == 5)
    rig.status.replace()
    try rig.deliver(5, buffer: 5)
    rig.work()
    let jpeg = try #require(rig.packetsCome().first)
    #expect(jpeg.header == CodecRig.header(5))
    #expect(Array(jpeg.bytes.prefix(2)) == [0xFF, 0xD8])
  }

  @Test("An encoder that does not answer for two seconds is abandoned, and the error names it")
  func stuck() throws {
    let script = EncoderScript()
    script.isStuck = true
    var rig = try CodecRig(script)
    try rig.deliver(0, buffer: 0)
    rig.work()
    #expect(rig.status.failure?.subject == "/dev/video11")
    #expect((1_900...2_100).contains(script.waitedMilliseconds))
    let back = rig.buffersBack()
    #expect(back == [0])
  }

  @Test("If the encoder needs another layout, rows are copied and the buffer comes back at once")
  func copies() throws {
    let script = EncoderScript()
    var layout = CodecRig.format
    layout.bytesPerRow = 32
    layout.heightPixels = 18
    script.input = .copied(layout)
    script.keptPictures = 2
    var rig = try CodecRig(script)
    for index in 0..<2 { try rig.deliver(UInt32(index), buffer: index) }
    for _ in 0..<5 { _ = rig.worker.step() }
    let back = rig.buffersBack()
    #expect(back == [0, 1])
    rig.work()
    let sequences = rig.packetsCome().map(\.header.cameraSequence)
    #expect(sequences == [0, 1])
  }

  @Test("A zoomed picture is written to a spare buffer for the encoder; the camera's buffer comes back at once")
  func zooms() throws {
    let script = EncoderScript()
    script.keptPictures = 1
    var rig = try CodecRig(script)
    try rig.deliver(0, buffer: 3, zoomFactor: 1)
    try rig.deliver(1, buffer: 4, zoomFactor: 2.5)
    for _ in 0..<3 { _ = rig.worker.step() }
    #expect(script.submittedSlots == [3, 6])
    #expect(rig.buffersBack() == [4, 3])
    #expect(try rig.bytes(ofBuffer: 6) == rig.zoomed(buffer: 4, by: 2.5))
    #expect(try rig.bytes(ofBuffer: 6) != rig.bytes(ofBuffer: 4))
    try rig.deliver(2, buffer: 5, zoomFactor: 16)
    for _ in 0..<3 { _ = rig.worker.step() }
    #expect(script.submittedSlots == [3, 6, 7])
    #expect(try rig.bytes(ofBuffer: 7) == rig.zoomed(buffer: 5, by: 16))
    rig.work()
    let sequences = rig.packetsCome().map(\.header.cameraSequence)
    #expect(sequences == [0, 1, 2])
    #expect(rig.buffersBack() == [5])
  }

  @Test("Zoomed pictures wait while the encoder holds every spare buffer, and keep their order")
  func waitsForSpares() throws {
    let script = EncoderScript()
    script.isStuck = true
    var rig = try CodecRig(script)
    for sequence in 0..<4 as Range<UInt32> { try rig.deliver(sequence, buffer: Int(sequence), zoomFactor: 2) }
    for _ in 0..<10 { _ = rig.worker.step() }
    #expect(script.submittedSlots == [6, 7])
    script.isStuck = false
    script.code()
    rig.work()
    #expect(script.submittedSlots.count == 4 && script.submittedSlots.allSatisfy { $0 >= CodecRig.cameraBufferCount })
    let sequences = rig.packetsCome().map(\.header.cameraSequence)
    #expect(sequences == [0, 1, 2, 3])
    #expect(rig.buffersBack().sorted() == [0, 1, 2, 3])
  }

  @Test("A spare buffer returned after the camera was closed is not given to the camera", arguments: [false, true])
  func outlivesCamera(isGone: Bool) throws {
    let script = EncoderScript()
    script.isStuck = true
    var rig = try CodecRig(script)
    try rig.deliver(0, buffer: 2, zoomFactor: 2)
    for _ in 0..<3 { _ = rig.worker.step() }
    #expect(rig.buffersBack() == [2])
    rig.closeCamera()
    script.isGone = isGone
    script.isStuck = false
    script.code()
    rig.work()
    #expect(rig.buffersBack() == [])
    #expect(rig.packetsCome().count == (isGone ? 0 : 1))
  }

  @Test("If pictures are copied, a zoomed one is written straight into the encoder's buffer")
  func zoomsCopies() throws {
    let script = EncoderScript()
    script.input = .copied(CodecRig.format)
    var rig = try CodecRig(script)
    try rig.deliver(0, buffer: 2, zoomFactor: 4)
    rig.work()
    let buffer = Array(script.room.prefix(CodecRig.pictureByteCount))
    #expect(try buffer == rig.zoomed(buffer: 2, by: 4))
    #expect(rig.packetsCome().count == 1)
  }

  @Test("Without a spare buffer a picture is encoded without zoom")
  func hasNoSpares() throws {
    let script = EncoderScript()
    var rig = try CodecRig(script, hasSpares: false)
    try rig.deliver(0, buffer: 2, zoomFactor: 4)
    rig.work()
    #expect(script.submittedSlots == [2])
    #expect(rig.buffersBack() == [2])
    #expect(rig.packetsCome().count == 1)
  }

  @Test(
    "Under random faults every lost picture is counted, no buffer is lost, and all packets in the ring can be decoded",
    arguments: 1...8)
  func randomRun(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let script = EncoderScript()
    script.keptPictures = Int(random.next() % 4)
    for _ in 0..<30 {
      script.damagedPackets.insert(Int(random.next() % 3000))
      script.skippedPictures.insert(Int(random.next() % 3000))
    }
    var rig = try CodecRig(script, capacityPackets: 12)
    var free = Set(0..<CodecRig.cameraBufferCount)
    var sequence: UInt32 = 0
    var next: UInt32 = 0
    var isDecodable = false
    for _ in 0..<20_000 {
      switch random.next() % 8 {
      case 0...3:
        guard let buffer = free.randomElement(using: &random) else { continue }
        free.remove(buffer)
        try rig.deliver(sequence, buffer: buffer, zoomFactor: random.next() % 2 == 0 ? 1 : 2.5)
        sequence += 1
      case 4...6: _ = rig.worker.step()
      default:
        guard random.next() % 3 == 0 else { continue }
        for packet in rig.packetsCome() {
          #expect(packet.header.cameraSequence >= next)
          if packet.header.cameraSequence != next { isDecodable = false }
          if packet.header.isKeyframe { isDecodable = true }
          try #require(isDecodable)
          next = packet.header.cameraSequence + 1
        }
      }
      for buffer in rig.buffersBack() { try #require(free.insert(buffer).inserted, "given back twice") }
    }
    rig.work()
    for buffer in rig.buffersBack() { try #require(free.insert(buffer).inserted, "given back twice") }
    #expect(free.count == CodecRig.cameraBufferCount)
    let counters = rig.counters
    #expect(
      counters.deliveredPictureCount + counters.droppedPictureCount + counters.failedPictureCount == UInt64(sequence))
    #expect(counters.deliveredPictureCount > 500)
  }
}
