import Port
import Rings
import SimBoard
import TestSupport

/// The simulated board with a disk in memory, a camera of numbered pictures, and everything breakable.
struct TestHardware: Hardware, ~Copyable {
  let world: TestWorld
  var clock: TestClock
  var buttons: SimButtons
  var accelerometer: SimAccelerometer
  var microphone: TestMicrophone
  var speaker: SimSpeaker
  var camera: NumberedCamera
  var indicators = SimIndicators()
  var consoleLine: ScriptedLine
  let allowsInjection = true

  init(_ settings: SimBoardSettings, world: TestWorld) throws {
    var memory = leakedBootMemory(byteCount: 32_768)
    let sim = try unwrapped(SimWorld(.virtual, in: &memory))
    let camera = try unwrapped(NumberedCamera(sim: sim, world: world, in: &memory))
    self.world = world
    clock = TestClock(clock: SimClock(world: sim), world: world)
    buttons = SimButtons(seed: settings.seed)
    accelerometer = SimAccelerometer(isPresent: true, seed: settings.seed)
    microphone = TestMicrophone(microphone: SimMicrophone(settings, world: sim), world: world)
    speaker = SimSpeaker(settings, world: sim)
    self.camera = camera
    consoleLine = ScriptedLine(world: world)
  }

  func openStorage() throws(DeviceFailure) -> MemoryStorage { MemoryStorage(world.disk) }

  func openMediaFolders() throws(DeviceFailure) -> DiskFolders { DiskFolders(disk: world.disk, decoder: world.player) }

  func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> ScriptedDecoder {
    setup.ringByteCount > 0 ? ScriptedDecoder(world.player) : ScriptedDecoder(world.prober)
  }

  func openView(_ setup: ViewSetup) throws(DeviceFailure) -> ScriptedView {
    ScriptedView(world.view, byteCount: setup.byteCount)
  }

  func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> ScriptedVideoEncoder {
    world.encoderRequest = request
    guard let script = world.encoder else { throw .noVideoEncoder(request) }
    return ScriptedVideoEncoder(script)
  }
}
