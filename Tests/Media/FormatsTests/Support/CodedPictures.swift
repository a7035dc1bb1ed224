import Base
import TestSupport

@testable import Media

/// Pictures as stored in a movie.
struct CodedPictures {
  var coding: VideoCoding
  var samples: [[UInt8]]
  var keyframes: [Bool]

  static let jpeg = CodedPictures(
    coding: .jpeg, samples: Pictures.all, keyframes: Pictures.all.map { _ in true })

  init(coding: VideoCoding, samples: [[UInt8]], keyframes: [Bool]) {
    self.coding = coding
    self.samples = samples
    self.keyframes = keyframes
  }

  /// Converts an encoder's packets.
  init(_ stream: CodedStream) throws {
    let parameterSets = try unwrapped(parameterSets(of: stream.packets[0]))
    coding = .avc(parameterSets)
    samples = stream.packets.map { sample($0, parameterSets) }
    keyframes = stream.keyframes
  }
}

/// The parameter sets that precede a packet's picture.
func parameterSets(of packet: [UInt8]) throws(ParameterSetsError) -> ParameterSets? {
  let span = packet.span
  return unsafe try ParameterSets(packet: span.bytes)
}

/// The size of a packet's sample in the file.
func sampleByteCount(_ packet: [UInt8], _ parameterSets: ParameterSets) -> Int {
  let span = packet.span
  return unsafe AVCSample(span.bytes, parameterSets: parameterSets).byteCount
}

/// The sample of a packet in the file, copied in pieces of at most `roomByteCount` bytes.
func sample(_ packet: [UInt8], _ parameterSets: ParameterSets, roomByteCount: Int = 65_536) -> [UInt8] {
  let span = packet.span
  var sample = unsafe AVCSample(span.bytes, parameterSets: parameterSets)
  return withScratch(byteCount: roomByteCount) { room in
    var bytes: [UInt8] = []
    while true {
      let count = sample.copy(into: &room)
      guard count > 0 else { return bytes }
      bytes += array(room.bytes.extracting(first: count))
    }
  }
}

extension VideoFormat {
  /// The format of a camera with pictures as in `choice`.
  init(_ choice: CodedStream.Choice) {
    self.init(
      widthPixels: UInt16(choice.widthPixels), heightPixels: UInt16(choice.heightPixels), pixelFormat: .nv12,
      bytesPerRow: 0, frameRate: FrameRate(frames: 25))
  }
}
