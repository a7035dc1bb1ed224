import Base
import Configuration
import Machine
import Media

/// The result of opening the hardware encoder for the camera's pictures.
struct OpenedEncoder: ~Copyable {
  /// Nil if the pictures become JPEGs.
  var encoder: VideoEncoder?
  private(set) var summary = EncoderSummary()

  /// - Parameter video: the camera's format; nil if there are no pictures.
  init(
    _ machine: borrowing Hardware, settings: Settings, video: VideoFormat?
  ) {
    guard let video, settings.video.codec != .mjpeg else { return }
    let codec = settings.video.codec ?? .h264
    guard video.pixelFormat != .mjpeg else {
      if settings.video.codec != nil { summary.failure = settings.encoderFailure("does not accept JPEG frames") }
      return
    }
    do throws(DeviceFailure) {
      let opened = try machine.openVideoEncoder(
        settings.encoderRequest(codec, video, sharing: machine.camera.device))
      try use(opened, for: codec, video, settings)
    } catch {
      // With `codec` left to the machine, a missing encoder is no failure.
      if settings.video.codec != nil || error.kind != .absent { summary.failure = error }
    }
  }

  private mutating func use(
    _ opened: consuming VideoEncoder, for codec: VideoCodec, _ video: VideoFormat, _ settings: Settings
  ) throws(DeviceFailure) {
    guard PictureZoomer.isPossible(from: video, to: opened.input.layout(of: video)) else {
      throw settings.encoderFailure("does not accept the camera's frame format")
    }
    summary.codec = codec
    summary.input = opened.input
    encoder = consume opened
  }
}

extension Settings {
  fileprivate func encoderFailure(_ problem: StaticString) -> DeviceFailure {
    DeviceFailure(
      device: .encoder, kind: .unsupported, subject: video.encoderDeviceName, problem: problem,
      remedy: "set another [video] format, or codec = mjpeg")
  }
}

extension DeviceFailure {
  /// None of the camera's formats can be encoded.
  static func cannotEncode(_ settings: Settings) -> DeviceFailure {
    DeviceFailure(
      device: .camera, kind: .unsupported, subject: settings.video.deviceName,
      problem: "sends frames that cannot be encoded", remedy: "set another [video] format, width or height")
  }
}
