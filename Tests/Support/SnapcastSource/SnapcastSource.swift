import Base
import CLinux
import Machine
import Net
import Wire

/// Serves self-numbered frames for as long as it runs: the left channel is the lower half of the frame's number, the
/// right channel the upper half. Frame 0 was recorded at the first whole second of the monotonic clock after the start,
/// which it prints.
///
/// `snapcast-source ADDRESS PORT BUFFER_MS CLIENTS`
@main
struct SnapcastSource {
  static func main() {
    let words = CommandLine.arguments
    guard words.count >= 5, let port = UInt16(words[2]), let buffer = Int64(words[3]), let clients = Int(words[4])
    else {
      fatalError("snapcast-source ADDRESS PORT BUFFER_MS CLIENTS")
    }
    var memory = unsafe BootMemory(source: lockedPages)
    let settings = ServerSettings(bufferMilliseconds: buffer)
    let address = FixedText<64>(Array(words[1].utf8).span)
    guard
      var server = SnapcastServer(address: address, port: port, settings, clientCount: clients, in: &memory),
      var maker = ChunkMaker(in: &memory)
    else { fatalError("cannot serve: errno \(lastSystemError)") }
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
    guard maker.restart(format) else { fatalError("no chunk") }
    server.begin(format)
    let begin = Instant((Instant.now.rawValue / 1_000_000_000 + 1) * 1_000_000_000)
    StandardStreams.say("begins at \(begin.rawValue)" as FixedText<48>)
    var given: UInt64 = 0
    while true {
      var watched = pollfd(fd: server.events, events: Int16(POLLIN), revents: 0)
      unsafe _ = poll(&watched, 1, 5)
      let now = Instant.now
      let end = now.distance(since: begin) * 48 / 1_000_000
      maker.note(end: TimelinePosition(end), at: now)
      while given + 240 <= end {
        let frames = (0..<240).map { UInt32(truncatingIfNeeded: given + $0).littleEndian }
        unsafe maker.append(frames.span.bytes, at: TimelinePosition(given)) { sound, recorded in
          server.append(sound, recorded: recorded)
        }
        given += 240
      }
      server.exchange()
      if getppid() == 1 { return }
    }
  }
}
