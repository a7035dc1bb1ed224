import Board
import Configuration
import Media

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
}
