import Base
import TestSupport

@testable import Wire

/// A message's bytes, in the order of the protocol's documentation.
func message(
  _ kind: UInt16, id: UInt16 = 0, refersTo: UInt16 = 0, sent: (Int32, Int32) = (0, 0), payload: [UInt8]
) -> [UInt8] {
  littleEndian(kind) + littleEndian(id) + littleEndian(refersTo) + littleEndian(sent.0) + littleEndian(sent.1)
    + littleEndian(Int32(0)) + littleEndian(Int32(0)) + littleEndian(UInt32(payload.count)) + payload
}

func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
  (0..<MemoryLayout<Value>.size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// A text payload, preceded by its size.
func text(_ json: String) -> [UInt8] { littleEndian(UInt32(json.utf8.count)) + Array(json.utf8) }

/// The hello message of Debian 12's snapclient 0.26.
let debianHello =
  #"{"Arch":"x86_64","ClientName":"Snapclient","HostName":"kitchen","ID":"00:11:22:33:44:55","Instance":1,"#
  + #""MAC":"00:11:22:33:44:55","OS":"Debian GNU/Linux 12 (bookworm)","SnapStreamProtocolVersion":2,"Version":"0.26.0"}"#

extension AudioFormat {
  static let stereo = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
}

/// Lets `write` fill a buffer.
/// - Returns: the number of bytes that it reports.
func written(_ byteCount: Int = 1024, _ write: (inout MutableRawSpan) -> Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0xAA, count: byteCount)
  var span = bytes.mutableSpan
  var room = unsafe span.mutableBytes
  let count = write(&room)
  return Array(bytes[..<count])
}

extension Array where Element == UInt8 {
  func number<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value {
    var value: Value = 0
    for index in (0..<MemoryLayout<Value>.size).reversed() {
      value = value << 8 | Value(truncatingIfNeeded: self[offset + index])
    }
    return value
  }
}

/// A server's session, with byte arrays in place of a client.
struct ServerRig: ~Copyable {
  var session: ServerSession

  init(bufferMilliseconds: Int64 = 1000) {
    var memory = leakedBootMemory()
    let settings = ServerSettings(bufferMilliseconds: bufferMilliseconds)
    guard var session = ServerSession(settings, in: &memory) else { fatalError("no memory") }
    session.connect(.stereo, at: 1)
    self.session = session
  }

  mutating func say(_ bytes: [UInt8], at now: Instant = 1) {
    unsafe session.receive(bytes.span.bytes, at: now)
  }

  /// All messages to be sent now.
  mutating func hear(at now: Instant = 1) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    while true {
      let bytes = written { room in session.nextMessage(into: &room, at: now) }
      guard !bytes.isEmpty else { return messages }
      messages.append(bytes)
    }
  }
}

/// A client's session, with byte arrays in place of a server.
struct ClientRig: ~Copyable {
  var session: ClientSession
  var chunks: [(Chunk, [UInt8])] = []

  init() {
    var memory = leakedBootMemory()
    let hello = Hello(hostName: "attic", clientName: "fieldcorder", version: "0.1.0", id: "0123")
    guard let session = ClientSession(hello, in: &memory) else { fatalError("no memory") }
    self.session = session
  }

  mutating func say(_ bytes: [UInt8], at now: Instant = 1) {
    var heard: [(Chunk, [UInt8])] = []
    unsafe session.receive(bytes.span.bytes, at: now) { chunk, sound in
      var copy: [UInt8] = []
      for index in 0..<sound.byteCount { copy.append(sound.byte(at: index)) }
      heard.append((chunk, copy))
    }
    chunks += heard
  }

  /// The next message; empty if there is none.
  mutating func hear(at now: Instant = 1) -> [UInt8] {
    written { room in session.nextMessage(into: &room, at: now) }
  }

  /// Completes the introduction, after which chunks are expected.
  mutating func introduce() {
    _ = hear()
    say(message(3, refersTo: 1, payload: text(#"{"bufferMs":1000,"latency":0,"muted":false,"volume":100}"#)))
    var server = ServerRig()
    server.say(message(5, id: 1, payload: text(debianHello)))
    say(server.hear()[1])
  }
}

extension Hello {
  init?(_ json: String) { self.init(json: Array(json.utf8).span) }
}

extension ServerSettings {
  init?(_ json: String) { self.init(json: Array(json.utf8).span) }
}

extension MessageHeader {
  init?(_ bytes: [UInt8]) { unsafe self.init(bytes.span.bytes) }
}

extension CodecHeader {
  init?(_ bytes: [UInt8]) { unsafe self.init(bytes.span.bytes) }
}
