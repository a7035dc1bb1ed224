import Base
import TestSupport
import Testing

@testable import Machine

@Suite struct EncoderSessionTests {
  private static let picture = VideoFormat(
    widthPixels: 40, heightPixels: 18, pixelFormat: .nv12, bytesPerRow: 40, frameRate: FrameRate(frames: 30))
  private static let pictureByteCount = 40 * 18 * 3 / 2

  private static func request(isShared: Bool = true, codec: VideoCodec = .h264) -> VideoEncoderRequest {
    VideoEncoderRequest(
      deviceName: "/dev/video11", codec: codec, picture: picture, bitsPerSecond: 5_000_000, picturesPerKeyframe: 30,
      sharedBuffers: isShared ? (6, 7, pictureByteCount) : nil)
  }

  private typealias Session = EncoderSession<ScriptedCodecDevice>

  private static func open(
    _ kernel: ScriptedKernel, _ request: VideoEncoderRequest = request()
  ) throws -> Session { try Session(ScriptedCodecDevice(kernel: kernel), request) }

  private static func submit(_ slot: Int, to session: inout Session, at microseconds: UInt64) throws {
    try session.submit(
      slot: slot, descriptor: 7, byteCount: pictureByteCount, timestampMicroseconds: microseconds)
  }

  @Test("Packets' format is set before the pictures', then the controls, then buffers; streams start with a picture")
  func order() throws {
    let kernel = ScriptedKernel()
    var session = try Self.open(kernel)
    #expect(session.input == .shared)
    #expect(session.state == .configured)
    #expect(
      kernel.requests == [
        "format of packets", "format of pictures", "interval", "bit rate 5000000", "repeated headers 1",
        "6 buffers for pictures", "stop pictures", "6 buffers for packets",
      ])
    try Self.submit(0, to: &session, at: 1)
    #expect(session.state == .streaming)
    #expect(kernel.requests.suffix(3) == ["stop packets", "start pictures", "start packets"])
  }

  @Test(
    "Timestamps come through in order, and each slot and each packet's buffer is free for the next round",
    arguments: [true, false])
  func passesThrough(isMultiplanar: Bool) throws {
    let kernel = ScriptedKernel()
    kernel.isMultiplanar = isMultiplanar
    var session = try Self.open(kernel)
    for round in 0..<30 as Range<UInt64> {
      try Self.submit(Int(round % 6), to: &session, at: 1000 + round)
      let packet = try #require(try session.nextPacket())
      #expect(packet.timestampMicroseconds == 1000 + round)
      #expect(packet.byteCount == 100)
      try session.release(bufferIndex: packet.bufferIndex)
      let slot = try session.nextEmptiedSlot()
      #expect(slot == Int(round % 6))
      let none = try session.nextEmptiedSlot()
      #expect(none == nil)
    }
    #expect(kernel.codedPictureCount == 30)
  }

  @Test(
    "If the encoder needs more rows, or cannot share another device's memory, pictures are copied into its own",
    arguments: [true, false])
  func copies(isAligned: Bool) throws {
    let kernel = ScriptedKernel()
    if isAligned { kernel.alignment = 16 } else { kernel.fault = .refusesSharing }
    var session = try Self.open(kernel)
    var layout = Self.picture
    if isAligned {
      layout.widthPixels = 48
      layout.heightPixels = 32
      layout.bytesPerRow = 48
      #expect(kernel.requests.contains("visible 40 x 18"))
    }
    #expect(session.input == .copied(layout))
    for timestamp in 0..<4 as Range<UInt64> {
      let isFree = session.acquireBuffer() != nil
      try #require(isFree)
      try session.submitBuffer(timestampMicroseconds: timestamp)
    }
    let isFull = session.acquireBuffer() == nil
    #expect(isFull)
    let slot = try session.nextEmptiedSlot()
    #expect(slot != nil)
    let isFreeAgain = session.acquireBuffer() != nil
    #expect(isFreeAgain)
  }

  @Test(
    "Draining delivers the packets that it kept, the last packet ends it, and the next picture restarts it")
  func drains() throws {
    let kernel = ScriptedKernel()
    kernel.keptPictures = 3
    var session = try Self.open(kernel)
    for slot in 0..<3 { try Self.submit(slot, to: &session, at: UInt64(slot)) }
    let early = try session.nextPacket()
    #expect(early == nil)
    try session.drain()
    #expect(session.state == .draining)
    for slot in 0..<3 {
      let packet = try #require(try session.nextPacket())
      #expect(packet.timestampMicroseconds == UInt64(slot))
      try session.release(bufferIndex: packet.bufferIndex)
    }
    #expect(session.state == .draining)
    let last = try session.nextPacket()
    #expect(last == nil)
    #expect(session.state == .drained)
    for slot in 0..<3 {
      let emptied = try session.nextEmptiedSlot()
      #expect(emptied == slot)
    }
    try Self.submit(5, to: &session, at: 9)
    #expect(session.state == .streaming)
    try session.drain()
    let packet = try #require(try session.nextPacket())
    #expect(packet.timestampMicroseconds == 9)
  }

  @Test("A removed device fails the step, and every later step is refused or without effect")
  func removed() throws {
    let kernel = ScriptedKernel()
    var session = try Self.open(kernel)
    try Self.submit(0, to: &session, at: 0)
    kernel.fault = .removed
    #expect(Self.kind { try Self.submit(1, to: &session, at: 1) } == .absent)
    #expect(session.state == .failed)
    let packet = try session.nextPacket()
    #expect(packet == nil)
    try session.drain()
    #expect(session.state == .failed)
  }

  @Test("A device that is no encoder, or lacks the codec, is refused")
  func refused() {
    let noCodec = ScriptedKernel()
    noCodec.isMultiplanar = nil
    #expect(Self.kind { _ = try Self.open(noCodec) } == .unsupported)
    let other = ScriptedKernel()
    other.fault = .otherCodec
    #expect(Self.kind { _ = try Self.open(other) } == .unsupported)
    #expect(other.openBufferCount == 0)
  }

  private static func kind(_ body: () throws -> Void) -> DeviceFailure.Kind? {
    do { try body() } catch { return (error as? VideoError)?.kind }
    return nil
  }
}

@Suite struct EncoderStateTests {
  private static let states: [EncoderState] = [.closed, .configured, .streaming, .draining, .drained, .failed]

  /// A row for each event, a column for each state in the order above; nil if the event is invalid in the state.
  private static let table: [(EncoderEvent, [EncoderState?])] = [
    (.configured, [.configured, nil, nil, nil, nil, nil]),
    (.started, [nil, .streaming, nil, nil, .streaming, nil]),
    (.stopOrdered, [nil, nil, .draining, nil, nil, nil]),
    (.lastPacketCame, [nil, nil, nil, .drained, nil, nil]),
    (.failed, [nil, .failed, .failed, .failed, .failed, .failed]),
  ]

  @Test("Every event in every state leads to the expected state")
  func everyTransition() {
    for (event, row) in Self.table {
      for (state, expected) in zip(Self.states, row) {
        #expect(state.after(event) == expected, "\(state), \(event)")
      }
    }
  }
}
