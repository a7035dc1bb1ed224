import Base
import Media

/// The sound card's capture side, or a simulated one.
package struct Microphone: MicrophoneDriver, ~Copyable {
  var card: ALSAMicrophone?
  var simulated: SimMicrophone?
  /// What is done to its sound; nil for nothing.
  let processed: ProcessedSound?

  /// How much louder the first of two stitched inputs is, as measured, in dB; nil if it was not measured.
  package var stitchedDecibels: Double? { processed?.stitchedDecibels }

  @export(interface)
  package mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    guard let processed else { return try openCard(request) }
    var request = request
    // The best that the card has: what is recorded is made of it.
    request.sampleFormat = nil
    return processed.start(try openCard(request))
  }

  private mutating func openCard(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    if card != nil { return try card!.open(request) }
    return try simulated!.open(request)
  }

  @export(interface)
  package mutating func read(into buffer: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead {
    guard let processed else { return try readCard(into: &buffer) }
    return try processed.read(into: &buffer) { (chunk) throws(DeviceFailure) in try readCard(into: &chunk) }
  }

  private mutating func readCard(into buffer: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead {
    if card != nil { return try card!.read(into: &buffer) }
    return try simulated!.read(into: &buffer)
  }

  package var bufferNanoseconds: UInt64 {
    switch card {
    case .some(let card): return card.bufferNanoseconds
    case .none: break
    }
    switch simulated {
    case .some(let simulated): return simulated.bufferNanoseconds
    case .none: return 0
    }
  }

  package mutating func restart() throws(DeviceFailure) {
    if card != nil { try card!.restart() } else { try simulated!.restart() }
  }

  package mutating func close() {
    if card != nil { card!.close() } else { simulated!.close() }
  }
}

/// The sound card's playback side, or a simulated one.
package struct Speaker: SpeakerDriver, ~Copyable {
  var card: ALSASpeaker?
  var simulated: SimSpeaker?

  @export(interface)
  package mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    if card != nil { return try card!.open(request) }
    return try simulated!.open(request)
  }

  package mutating func look() throws(DeviceFailure) -> SpeakerState {
    if card != nil { return try card!.look() }
    return try simulated!.look()
  }

  package mutating func write(_ frames: RawSpan) throws(DeviceFailure) -> Int {
    if card != nil { return try card!.write(frames) }
    return try simulated!.write(frames)
  }

  package mutating func start() throws(DeviceFailure) {
    if card != nil { try card!.start() } else { try simulated!.start() }
  }

  package mutating func stop() {
    if card != nil { card!.stop() } else { simulated!.stop() }
  }

  package mutating func close() {
    if card != nil { card!.close() } else { simulated!.close() }
  }
}
