import Base

@testable import Media
@testable import Playback
@testable import Wire

/// The header and the picture of a JPEG from a camera, or from a ring.
func fuzzJPEG(_ input: UnsafeRawBufferPointer) {
  let jpeg = RawSpan(_unsafeBytes: input)
  if case .missing(let offset)? = JPEGSegments.tables(of: jpeg) {
    precondition(offset <= input.count, "tables are missing behind the end")
  }
  var output = MutableRawSpan(_unsafeBytes: planes)
  _ = try? jpegDecoder.decodePlanes(jpeg: jpeg, into: &output)
}

private nonisolated(unsafe) let planes = UnsafeMutableRawBufferPointer.allocate(
  byteCount: JPEGDecoder.maximumPlanesByteCount(widthPixels: 320, heightPixels: 240), alignment: 64)
private nonisolated(unsafe) let decoderMemory = FuzzMemory(byteCount: 1 << 22)
private nonisolated(unsafe) var jpegDecoder: JPEGDecoder = {
  var memory = decoderMemory.fresh
  guard var decoder = try? JPEGDecoder(maximumWidthPixels: 320, maximumHeightPixels: 240, in: &memory) else {
    fatalError("too little memory")
  }
  decoder.prepareThread()
  return decoder
}()

/// A conversation with a decoder: the input consists of orders and messages, each preceded by its length. A message
/// that is decoded is encoded identically again, and only requested frames are filled.
func fuzzDecoder(_ input: UnsafeRawBufferPointer) {
  var validator = ProtocolValidator()
  var rest = input[...]
  var now: Instant = 1
  while let length = rest.popFirst(), !rest.isEmpty {
    let piece = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: rest.prefix(Int(length & 0x7F))))
    rest = rest.dropFirst(Int(length & 0x7F))
    now = now + 1_000_000
    if length & 0x80 != 0 {
      guard let order = DecoderOrder(decoding: piece), validator.allows(order) else { continue }
      validator.note(order, at: now)
    } else {
      guard let message = DecoderMessage(decoding: piece) else { continue }
      checkCoding(of: message)
      guard validator.accepts(message, at: now) else { return }
      _ = validator.isTimedOut(at: now)
    }
  }
}

private func checkCoding(of message: DecoderMessage) {
  withScratch { scratch in
    let byteCount = message.encode(into: &scratch)
    precondition(byteCount <= DecoderMessage.maximumByteCount, "a message is longer than the longest")
    precondition(
      DecoderMessage(decoding: scratch.bytes.extracting(first: byteCount)) == message, "a message is read otherwise")
  }
}
