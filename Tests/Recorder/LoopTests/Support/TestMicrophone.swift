import Port
import Values
import SimBoard

/// The simulated microphone, which can be unplugged, and whose sound is kept for comparison.
struct TestMicrophone: Microphone, ~Copyable {
  var microphone: SimMicrophone
  let world: TestWorld
  private var bytesPerFrame = 1

  init(microphone: consuming SimMicrophone, world: TestWorld) {
    self.microphone = microphone
    self.world = world
  }

  mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    if world.isMicrophoneGone { throw TestWorld.failure(.microphone) }
    let format = try microphone.open(request)
    bytesPerFrame = format.bytesPerFrame
    return format
  }

  mutating func read(into room: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead {
    if world.isMicrophoneGone { throw TestWorld.failure(.microphone) }
    let read = try microphone.read(into: &room)
    world.heard += [UInt8](repeating: 0, count: read.lostFrameCount * bytesPerFrame)
    world.heard += unsafe room.withUnsafeBytes { unsafe Array($0.prefix(read.frameCount * bytesPerFrame)) }
    return read
  }

  mutating func close() { microphone.close() }
}
