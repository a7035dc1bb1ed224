import Base
import CLinux
import Machine
import Wire

/// The file that is sent instead of the microphone, as its ``FileReader`` tells it.
struct FileStream: ~Copyable {
  enum State: Equatable {
    /// The microphone is sent.
    case none
    /// The process has not found out yet what the file is.
    case opening
    case ready(FileKind)
    case ended(FileProblem)
  }

  /// Messages at a look: of packets of 2.5 ms, the shortest of Opus, eight looks.
  private static var messagesPerLook: Int { 64 }

  let path: FixedText<64>?
  private var link: FileDescriptor?
  private var ring: StreamRing
  private var message: FixedBuffer
  private(set) var state: State

  /// Starts the process that reads the file; before the program shuts itself in.
  /// - Parameter path: nil when the microphone is sent.
  init(_ path: FixedText<64>?, in memory: inout BootMemory) throws(Refusal) {
    self.path = path
    state = path == nil ? .none : .opening
    if let path { link = .some(try Self.startReader(path)) }
    guard let ring = StreamRing(in: &memory, headerByteCount: FileMessage.headerByteCount),
      let message = FixedBuffer(byteCount: FileMessage.largestByteCount, in: &memory)
    else { throw Refusal("there is not enough memory") }
    self.ring = ring
    self.message = message
  }

  private static func startReader(_ path: FixedText<64>) throws(Refusal) -> FileDescriptor {
    var ends: (Int32, Int32) = (-1, -1)
    guard unsafe linux_packet_pair(&ends.0, &ends.1) == 0 else { throw Refusal("the system has no more descriptors") }
    let own = FileDescriptor(owning: ends.0)
    let others = FileDescriptor(owning: ends.1)
    let process = linux_divide()
    if process == 0 { FileReader.run(path, others) }
    guard process > 0 else { throw Refusal("cannot start a process to read \(path) (errno \(lastSystemError))") }
    return own
  }

  /// What tells that there is something to take; -1 for nothing. While nobody listens nothing is taken, and the file waits.
  func descriptor(hasListener: Bool) -> Int32 {
    switch state {
    case .opening: break
    case .ready: guard hasListener else { return -1 }
    case .none, .ended: return -1
    }
    switch link {
    case .some(let link): return link.number
    case nil: return -1
    }
  }

  /// Takes what has come.
  mutating func follow(hasListener: Bool) {
    for _ in 0..<Self.messagesPerLook {
      let number = descriptor(hasListener: hasListener)
      guard number >= 0 else { return }
      var room = message.mutableBytes
      let count = unsafe room.withUnsafeMutableBytes {
        unsafe recv(number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        take(byteCount: count)
      } else if count == 0 || (lastSystemError != EAGAIN && lastSystemError != EINTR) {
        end(.fallen)
      } else {
        return
      }
    }
  }

  /// Believes nothing that the process could not mean.
  private mutating func take(byteCount: Int) {
    let kind = FileMessage(rawValue: message.bytes.byte(at: 0))
    let second = byteCount > 1 ? message.bytes.byte(at: 1) : .max
    switch (kind, state) {
    case (.beginning, .opening):
      guard let kind = FileKind(rawValue: second), Self.begin(&ring, message, 2..<byteCount) else { break }
      return state = .ready(kind)
    case (.packets, .ready): return Self.append(message, 1..<byteCount, to: &ring)
    case (.problem, _):
      guard let problem = FileProblem(rawValue: second) else { break }
      return end(problem)
    default: break
    }
    end(.fallen)
  }

  private static func begin(_ ring: inout StreamRing, _ message: borrowing FixedBuffer, _ header: Range<Int>) -> Bool {
    ring.appendHeader(message.bytes.extracting(header))
  }

  private static func append(_ message: borrowing FixedBuffer, _ packets: Range<Int>, to ring: inout StreamRing) {
    ring.markEntry()
    ring.append(message.bytes.extracting(packets))
  }

  /// Who listens hears no more.
  private mutating func end(_ problem: FileProblem) {
    link = nil
    ring.restart()
    state = .ended(problem)
  }

  /// A listener begins.
  /// - Returns: nil when the file is not of that kind, or cannot be sent.
  func join(_ kind: FileKind) -> StreamCursor? { state == .ready(kind) ? ring.join() : nil }

  func place(of cursor: StreamCursor) -> StreamPlace { ring.place(of: cursor) }

  func read(_ cursor: inout StreamCursor, into buffer: inout MutableRawSpan) -> StreamReading {
    ring.read(&cursor, into: &buffer)
  }
}
