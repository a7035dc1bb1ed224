import Port
import Configuration
import Values

/// What came of opening microphone and camera.
struct OpenedDevices {
  var audio: AudioFormat?
  var video: VideoFormat?
  var microphoneFailure: DeviceFailure?
  var cameraFailure: DeviceFailure?

  /// Opens what the configuration records with; one that is missing does not keep the other from running.
  init(_ machine: inout some Hardware & ~Copyable, settings: Settings) {
    do throws(DeviceFailure) {
      audio = try machine.microphone.open(settings.microphoneRequest)
    } catch {
      microphoneFailure = error
    }
    guard settings.record.content == .video else { return }
    do throws(DeviceFailure) {
      video = try machine.camera.open(settings.cameraRequest)
    } catch {
      cameraFailure = error
    }
  }

  /// Closes a camera that does not deliver what memory was planned for at boot, as one does that was not there then.
  mutating func refuseCamera(_ machine: inout some Hardware & ~Copyable, settings: Settings) {
    machine.camera.close()
    video = nil
    cameraFailure = DeviceFailure(
      device: .camera, kind: .unsupported, subject: settings.video.deviceName,
      problem: "delivers other pictures than there was memory planned for", remedy: "restart the recorder")
  }
}
