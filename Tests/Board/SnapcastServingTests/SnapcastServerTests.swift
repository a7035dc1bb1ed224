import Base
import Foundation
import Machine
import TestSupport
import Testing
import Wire

@testable import Net

@Suite(.serialized) struct SnapcastServerTests {
  @Test("A client that takes nothing is cut off once it is 256 KiB behind, and who takes all gets every chunk")
  func cutsOffSlowClients() throws {
    var rig = try ServerRig(clientCount: 2)
    let frozen = TCPClient(port: rig.port)
    let reading = TCPClient(port: rig.port)
    frozen.sayHello()
    reading.sayHello()
    rig.serve(untilClients: 2)
    var heard: [UInt8] = []
    var chunkCount = 0
    while rig.server.tooSlowCount == 0, chunkCount < 10_000 {
      rig.append(UInt8(truncatingIfNeeded: chunkCount))
      chunkCount += 1
      rig.server.exchange()
      heard += reading.take()
    }
    #expect(rig.server.tooSlowCount == 1 && rig.server.clientCount == 1)
    // The kernel buffers some more, on both sides.
    #expect(chunkCount >= 67 && chunkCount < 10_000)
    while !heard.hasSuffix(of: chunkCount) {
      rig.server.exchange()
      let more = reading.take(waits: true)
      guard !more.isEmpty else { break }
      heard += more
    }
    #expect(heard.chunkNumbers == (0..<chunkCount).map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test("Who joins later begins with the newest chunk, who comes back gets the codec's header again")
  func joinsLate() throws {
    var rig = try ServerRig(clientCount: 1)
    for number in 0..<5 as Range<UInt8> { rig.append(number) }
    for _ in 0..<2 {
      let client = TCPClient(port: rig.port)
      client.sayHello()
      rig.serve(untilClients: 1)
      rig.append(9)
      rig.server.exchange()
      var heard: [UInt8] = []
      while heard.chunkNumbers.isEmpty {
        let more = client.take(waits: true)
        guard !more.isEmpty else { break }
        heard += more
        rig.server.exchange()
      }
      #expect(heard.kinds == [3, 1, 2] && heard.chunkNumbers == [9])
      client.close()
      rig.serve(untilClients: 0)
    }
  }

  @Test("There are no more clients than allowed, none while there is no sound, and another format sends them away")
  func limitsClients() throws {
    var rig = try ServerRig(clientCount: 1)
    let first = TCPClient(port: rig.port)
    rig.serve(untilClients: 1)
    let second = TCPClient(port: rig.port)
    rig.serveUntilEnd(of: second)
    #expect(rig.server.clientCount == 1)
    rig.server.begin(AudioFormat(sampleRateHz: 44_100, channelCount: 1, sampleFormat: .int16))
    rig.serveUntilEnd(of: first)
    rig.server.begin(nil)
    let third = TCPClient(port: rig.port)
    rig.serveUntilEnd(of: third)
    #expect(rig.server.clientCount == 0)
  }

  @Test("An address that is none, and a port that is taken, are no server")
  func refusesPlaces() throws {
    let rig = try ServerRig(clientCount: 1)
    var memory = leakedBootMemory()
    for (address, port) in [("localhost", rig.port), ("127.0.0.1", rig.port)] {
      let server = SnapcastServer(
        address: FixedText(address), port: port, ServerSettings(bufferMilliseconds: 1000), clientCount: 1, in: &memory)
      let isThere = server != nil
      #expect(!isThere)
    }
  }
}

/// A server for stereo sound on a free local port.
private struct ServerRig: ~Copyable {
  var server: SnapcastServer
  let port: UInt16

  init(clientCount: Int) throws {
    var memory = leakedBootMemory()
    port = freePort()
    server = try unwrapped(
      SnapcastServer(
        address: "127.0.0.1", port: port, ServerSettings(bufferMilliseconds: 1000), clientCount: clientCount,
        in: &memory))
    server.begin(AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16))
  }

  /// Appends a chunk filled with this byte.
  mutating func append(_ byte: UInt8) {
    let sound = [UInt8](repeating: byte, count: 3840)
    unsafe server.append(sound.span.bytes, recorded: 1)
  }

  /// Serves until this many clients are connected and have been answered.
  mutating func serve(untilClients count: Int) {
    for _ in 0..<2000 {
      server.exchange()
      var introducedCount = 0
      server.forEachClient { _, client, _, sentByteCount, _ in
        introducedCount += client.id.isEmpty || sentByteCount > 0 ? 1 : 0
      }
      if server.clientCount == count, introducedCount == count { return }
      usleep(2000)
    }
  }

  mutating func serveUntilEnd(of client: TCPClient) {
    for _ in 0..<2000 where !client.hasEnded {
      server.exchange()
      usleep(2000)
    }
    #expect(client.hasEnded)
  }
}

private final class TCPClient {
  private var number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

  init(port: UInt16) {
    var address = Self.loopback(port)
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = unsafe connect(number, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close() }

  func close() {
    if number >= 0 { _ = Foundation.close(number) }
    number = -1
  }

  func sayHello() {
    let json = Array(#"{"ID":"test","HostName":"test","SnapStreamProtocolVersion":2}"#.utf8)
    let size = [UInt8(json.count), 0, 0, 0]
    let header: [UInt8] = [5, 0, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 16) + [UInt8(json.count + 4), 0, 0, 0]
    let bytes = header + size + json
    _ = unsafe send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// The bytes that have arrived; with `waits`, waits up to five seconds for at least one.
  func take(waits: Bool = false) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(number, &buffer, buffer.count, waits ? 0 : Int32(MSG_DONTWAIT))
    return Array(buffer.prefix(max(0, count)))
  }

  /// Whether the server has closed the connection.
  var hasEnded: Bool {
    var byte: UInt8 = 0
    let count = unsafe recv(number, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK))
    return count == 0 || count < 0 && errno != EAGAIN
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}

extension [UInt8] {
  /// The messages received: each one's kind and payload.
  private var messages: [(kind: UInt8, payload: ArraySlice<UInt8>)] {
    var found: [(UInt8, ArraySlice<UInt8>)] = []
    var rest = self[...]
    while rest.count >= 26 {
      let start = rest.startIndex
      let count = (0..<4).reduce(0) { $0 | Int(rest[start + 22 + $1]) << (8 * $1) }
      guard rest.count >= 26 + count else { break }
      found.append((rest[start], rest[start + 26..<start + 26 + count]))
      rest = rest[(start + 26 + count)...]
    }
    return found
  }

  fileprivate var kinds: [UInt8] { messages.map(\.kind) }

  /// The byte with which each chunk is filled.
  fileprivate var chunkNumbers: [UInt8] {
    messages.filter { $0.kind == 2 && Set($0.payload.dropFirst(12)).count == 1 }.compactMap(\.payload.last)
  }

  /// Whether at least this many chunks have arrived.
  fileprivate func hasSuffix(of chunkCount: Int) -> Bool { chunkNumbers.count >= chunkCount }
}
