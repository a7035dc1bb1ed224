import CLinux
import TestSupport
import Testing
import Text

@testable import Posix

@Suite struct PacketLinkTests {
  private func listener(at path: String) -> FileDescriptor {
    FileDescriptor(owning: unsafe linux_listen_for_packets(path))
  }

  @Test("A service takes packets whole, with a descriptor where one comes along")
  func sends() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "socket")
    let listener = listener(at: path)
    let link = try #require(PacketLink(connectingTo: FixedText(Array(path.utf8).span)))
    let service = FileDescriptor(owning: unsafe accept(listener.number, nil, nil))
    let words: [UInt8] = Array("stream".utf8)
    #expect(link.send(words.span.bytes, with: listener.number, waitNanoseconds: 0) == .sent)
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
    #expect(PacketLink(connectingTo: FixedText(Array(path.utf8).span)) == nil)
    #expect(PacketLink(connectingTo: FixedText([UInt8](repeating: 0x61, count: 127).span)) == nil)
    var listener: FileDescriptor? = listener(at: path)
    let link = try #require(PacketLink(connectingTo: FixedText(Array(path.utf8).span)))
    listener = nil
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    #expect(link.receive(into: &buffer, waitNanoseconds: 0) == .end)
    _ = listener
  }
}
