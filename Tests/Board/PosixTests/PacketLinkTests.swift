import Base
import CLinux
import TestSupport
import Testing

@testable import Machine

@Suite struct PacketLinkTests {
  private func listener(at path: String) -> FileDescriptor {
    FileDescriptor(owning: unsafe linux_listen_for_packets(path))
  }

  private func connect(to path: String) throws -> PacketLink {
    guard let link = PacketLink(connectingTo: FixedText(Array(path.utf8).span)) else { throw NobodyListens() }
    return link
  }

  private func connectAndStopListening(at path: String) throws -> PacketLink {
    let listener = listener(at: path)
    let link = try connect(to: path)
    _ = consume listener
    return link
  }

  private struct NobodyListens: Error {}

  @Test("A service takes packets whole, with a descriptor where one comes along")
  func sends() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "socket")
    let listener = listener(at: path)
    let link = try connect(to: path)
    let service = FileDescriptor(owning: accept(listener.number, nil, nil))
    let words: [UInt8] = Array("stream".utf8)
    let sending = unsafe link.send(words.span.bytes, with: listener.number, waitNanoseconds: 0)
    #expect(sending == .sent)
    var received = [UInt8](repeating: 0, count: 64)
    var descriptor: Int32 = -1
    let count = unsafe linux_receive_packet(service.number, &received, received.count, 0, &descriptor)
    #expect(count == words.count)
    #expect(Array(received.prefix(count)) == words)
    #expect(descriptor >= 0)
    close(descriptor)
  }

  @Test("A service that is not there, or has gone, is told")
  func tellsTheEnd() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "socket")
    #expect(throws: NobodyListens.self) { _ = try connect(to: path) }
    #expect(throws: NobodyListens.self) { _ = try connect(to: String(repeating: "a", count: 127)) }
    let link = try connectAndStopListening(at: path)
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    let reception = link.receive(into: &buffer, waitNanoseconds: 0)
    #expect(reception == .end)
  }
}
