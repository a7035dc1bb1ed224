import Base
import Wire

/// A server's session with a client, or a client's with a server, that sends arbitrary bytes in pieces. Every answer
/// fits, and a chunk is never longer than the input.
func fuzzSnapcast(_ input: UnsafeRawBufferPointer) {
  var choices = FuzzChoices(input)
  let kind = choices.next()
  let pieceByteCount = 1 + Int(choices.next())
  var memory = sessionMemory.fresh
  if kind % 2 == 0 {
    guard var session = ServerSession(ServerSettings(bufferMilliseconds: 1000), in: &memory) else {
      fatalError("too little memory")
    }
    session.connect(AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16), at: 1)
    var now: Instant = 1
    forEachPiece(of: choices.content, byteCount: pieceByteCount) { piece in
      now += 1_000_000
      session.receive(piece, at: now)
      // Some clients do not read their answers.
      guard kind & 2 == 0 else { return }
      withScratch { scratch in while session.nextMessage(into: &scratch, at: now) > 0 {} }
    }
  } else {
    let hello = Hello(hostName: "h", clientName: "c", version: "v", id: "i")
    guard var session = ClientSession(hello, in: &memory) else { fatalError("too little memory") }
    withScratch { scratch in
      let byteCount = session.nextMessage(into: &scratch, at: 1)
      precondition(byteCount > 0 && byteCount <= SnapcastLimits.replyByteCount, "a hello does not fit")
    }
    var now: Instant = 1
    var newest: Chunk?
    forEachPiece(of: choices.content, byteCount: pieceByteCount) { piece in
      now += 1_000_000
      session.receive(piece, at: now) { chunk, sound in
        precondition(chunk.byteCount == sound.byteCount && sound.byteCount <= input.count, "a chunk has more than came")
        newest = chunk
      }
      if let newest { _ = session.playing(of: newest) }
      withScratch { scratch in _ = session.nextMessage(into: &scratch, at: now) }
    }
  }
}

private func forEachPiece(of bytes: UnsafeRawBufferPointer, byteCount: Int, _ body: (RawSpan) -> Void) {
  var rest = bytes[...]
  while !rest.isEmpty {
    body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: rest.prefix(byteCount))))
    rest = rest.dropFirst(byteCount)
  }
}

private nonisolated(unsafe) let sessionMemory = FuzzMemory(byteCount: 1 << 18)
