import Base
import CLinux
import CSandbox
import Machine
import Wire

/// Replaces the decoder in tests of its process: it executes the command in the file sent to it, and answers any other
/// order with a message that shows what was received.
@main
struct StandInDecoder {
  static func main() {
    var words = CommandLine.arguments.dropFirst()
    guard let invocation = DecoderInvocation(nextWord: { words.popFirst().map { text($0) } }) else { exit(2) }
    say(.ready, to: invocation.socket)
    while let (order, file) = receive(from: invocation.socket) {
      switch order {
      case .probe(let requestID), .open(let requestID, _, _), .openNext(let requestID):
        obey(read(file), requestID, invocation)
      case .fill(let endFrame): say(.filled(endFrame: endFrame, PacketReading()), to: invocation.socket)
      default: break
      }
    }
  }

  private static func obey(_ command: String, _ requestID: UInt32, _ invocation: DecoderInvocation) {
    let words = command.split(separator: " ")
    switch words.first {
    case "exit": exit(Int32(words[1])!)
    case "signal":
      // Swift's own trap would take too long.
      signal(Int32(words[1])!, nil)
      kill(getpid(), Int32(words[1])!)
    case "say": put([UInt8](repeating: UInt8(words[2])!, count: Int(words[1])!), to: invocation.socket)
    case "close":
      close(invocation.socket)
      while true { pause() }
    case "shut":
      guard sandbox_drop_rights() == 0, sandbox_limit(64 << 20, 64) == 0, sandbox_shut() == 1 else { exit(3) }
      let result = Trespass.attempt(words[1])
      say(answer(requestID, title: "\(result)"), to: invocation.socket)
    case "ring": fillRing(with: UInt8(words[1])!, requestID, invocation)
    case "cut":
      say(answer(requestID, title: "\(ftruncate(invocation.ring!, 0)) \(linux_errno())"), to: invocation.socket)
    case "files":
      // Sends descriptors in the wrong direction.
      for _ in 0..<100 { _ = send([1, 2, 3], with: 0, to: invocation.socket) }
    default: say(answer(requestID, title: command), to: invocation.socket)
    }
  }

  private static func fillRing(with byte: UInt8, _ requestID: UInt32, _ invocation: DecoderInvocation) {
    let count = invocation.ringByteCount
    let memory = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, invocation.ring!, 0)!
    unsafe memset(memory, Int32(byte), count)
    say(answer(requestID, title: "filled"), to: invocation.socket)
  }

  private static func answer(_ requestID: UInt32, title: String) -> DecoderMessage {
    var properties = ItemProperties()
    properties.sampleRateHz = 48_000
    properties.channelCount = 2
    properties.title = text(title)
    return .opened(requestID: requestID, properties, PacketReading())
  }

  private static func receive(from socket: Int32) -> (DecoderOrder, Int32)? {
    var bytes = [UInt8](repeating: 0, count: 64)
    var file: Int32 = -1
    let count = unsafe linux_receive_packet(socket, &bytes, bytes.count, 0, &file)
    bytes.removeLast(bytes.count - max(0, count))
    guard let order = unsafe DecoderOrder(decoding: bytes.span.bytes) else { return nil }
    return (order, file)
  }

  private static func read(_ file: Int32) -> String {
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = unsafe CLinux.read(file, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }

  private static func say(_ message: DecoderMessage, to socket: Int32) {
    var bytes = [UInt8](repeating: 0, count: DecoderMessage.maximumByteCount)
    var span = bytes.mutableSpan
    var room = unsafe span.mutableBytes
    let count = message.encode(into: &room)
    put(Array(bytes[..<count]), to: socket)
  }

  private static func put(_ bytes: [UInt8], to socket: Int32) { _ = send(bytes, with: -1, to: socket) }

  private static func send(_ bytes: [UInt8], with descriptor: Int32, to socket: Int32) -> Int {
    unsafe linux_send_packet(socket, bytes, bytes.count, descriptor)
  }

  private static func text<let capacity: Int>(_ string: some StringProtocol) -> FixedText<capacity> {
    FixedText(Array(string.utf8).span)
  }
}
