import Base
import CLinux
import Machine
import Wire

/// The local socket to which the recorder connects: it passes its shared memory, and is told who listens.
struct RecorderLink: ~Copyable {
  /// The first descriptor that the service manager passes on (sd_listen_fds(3)).
  private static var firstPassedOn: Int32 { 3 }

  enum Event {
    case nothing
    /// A recorder has connected, and replaces the previous one.
    case recorder(RecorderMemory)
    /// A program has connected that is not a recorder of this version.
    case stranger
    case gone
  }

  private let listening: FileDescriptor
  private var recorder: FileDescriptor?

  /// - Parameter path: nil if the service manager has made the socket.
  /// - Returns: nil if there is no socket; ``Posix/lastSystemError`` says why.
  init?(path: FixedText<128>?) {
    guard let path else {
      guard Self.isPassedOn else { return nil }
      listening = FileDescriptor(owning: Self.firstPassedOn)
      return
    }
    let before = umask(0o177)
    let number = unsafe path.withCString { unsafe linux_listen_for_packets($0) }
    umask(before)
    guard number >= 0 else { return nil }
    listening = FileDescriptor(owning: number)
  }

  private static var isPassedOn: Bool {
    let name: StaticString = "LISTEN_FDS"
    guard let count = unsafe getenv(name.cString) else {
      return false
    }
    return unsafe count[0] == 49 && count[1] == 0
  }

  /// The descriptors to poll; -1 if no recorder is connected.
  var descriptors: (listening: Int32, recorder: Int32) { (listening.number, number) }

  private var number: Int32 {
    switch recorder {
    case .some(let recorder): recorder.number
    case nil: -1
    }
  }

  /// Never blocks, except for up to 200 ms for the memory of a recorder that has just connected.
  mutating func hear() -> Event {
    if Self.isReadable(listening.number, waitMilliseconds: 0) {
      let accepted = accept(listening.number, nil, nil)
      if accepted >= 0 { recorder = .some(FileDescriptor(owning: accepted)) }
      // It sends the memory right after it has connected.
      return receive(waitMilliseconds: 200)
    }
    return receive(waitMilliseconds: 0)
  }

  private static func isReadable(_ descriptor: Int32, waitMilliseconds: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&watched, 1, waitMilliseconds) > 0
  }

  private mutating func receive(waitMilliseconds: Int32) -> Event {
    guard number >= 0, Self.isReadable(number, waitMilliseconds: waitMilliseconds) else { return .nothing }
    var byte: UInt8 = 0
    var descriptor: Int32 = -1
    let count = unsafe linux_receive_packet(number, &byte, 1, Int32(MSG_DONTWAIT), &descriptor)
    guard count > 0 else {
      recorder = nil
      return .gone
    }
    guard descriptor >= 0 else { return .nothing }
    let sent = FileDescriptor(owning: descriptor)
    guard let memory = RecorderMemory(descriptor: sent.number) else { return .stranger }
    return .recorder(memory)
  }

  /// Sends the recorder a message, which is dropped if the socket is full.
  /// - Returns: whether it was sent.
  @discardableResult func tell(_ message: MonitorMessage) -> Bool {
    guard number >= 0 else { return false }
    var sentByteCount = -1
    message.withPacket { packet in
      unsafe packet.withUnsafeBufferPointer {
        sentByteCount = unsafe linux_send_packet(number, $0.baseAddress, $0.count, -1)
      }
    }
    return sentByteCount > 0
  }
}

/// The recorder's memory, mapped read-only.
@safe struct RecorderMemory: BitwiseCopyable {
  // Safe: mapped until `unmap()`, after which nobody uses the reader; it is sealed against shrinking.
  private let region: UnsafeRawBufferPointer
  let reader: ViewReader

  /// - Returns: nil if the descriptor cannot be mapped, is not sealed, or was not written by this version of the
  ///   recorder.
  init?(descriptor: Int32) {
    // The size comes from lseek, because the sandbox refuses the call for a file's status.
    let byteCount = Int(lseek(descriptor, 0, Int32(SEEK_END)))
    guard byteCount > 0, linux_keeps_its_size(descriptor) == 1 else { return nil }
    let address = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
    guard unsafe linux_is_map_failed(address) == 0 else { return nil }
    let region = unsafe UnsafeRawBufferPointer(start: address, count: byteCount)
    guard let reader = unsafe ViewReader(region) else {
      unsafe munmap(address, byteCount)
      return nil
    }
    unsafe self.region = region
    self.reader = reader
  }

  func unmap() { unsafe _ = munmap(UnsafeMutableRawPointer(mutating: region.baseAddress!), region.count) }
}
