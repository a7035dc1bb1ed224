import Base
import Catalog
import Configuration
import Machine
import Media
import Playback
import Record

extension Settings {
  var microphoneRequest: SoundCardRequest {
    SoundCardRequest(
      deviceName: audio.deviceName, sampleRateHz: audio.sampleRateHz, channelCount: audio.channelCount,
      sampleFormat: audio.sampleFormat, bufferMilliseconds: audio.bufferMilliseconds)
  }

  /// Nil if no speaker is configured.
  var speakerRequest: SoundCardRequest? { speaker.deviceName == nil ? nil : playerSpeakerRequest }

  /// The request for a player that has a speaker, or is never asked to play.
  var playerSpeakerRequest: SoundCardRequest {
    SoundCardRequest(
      deviceName: speaker.deviceName ?? "none", sampleRateHz: speaker.sampleRateHz, channelCount: speaker.channelCount,
      sampleFormat: speaker.sampleFormat, bufferMilliseconds: speaker.bufferMilliseconds)
  }

  /// Whether network listeners can hear what is played.
  var canShare: Bool { speaker.deviceName != nil && monitor.socket != nil }

  var restingZoom: Zoom { Zoom(maximum: zoom.maximum, powersOfTwoPerSecond: zoom.rate, easing: zoom.easing) }

  var fade: Fade { Fade(milliseconds: player.fadeMilliseconds, easing: player.fadeEasing) }

  /// How long a microphone may deliver nothing before it counts as lost.
  var microphonePatienceNanoseconds: UInt64 {
    (UInt64(audio.bufferMilliseconds) + Limits.microphonePatienceMilliseconds) * 1_000_000
  }

  /// How long a camera may deliver nothing before it counts as lost.
  var cameraPatienceNanoseconds: UInt64 {
    max(
      Limits.cameraPatiencePictures * 1_000_000_000 / UInt64(max(video.framesPerSecond, 1)),
      Limits.leastCameraPatienceMilliseconds * 1_000_000)
  }

  /// The camera settings to ask for.
  package var cameraRequest: CameraRequest {
    CameraRequest(
      deviceName: video.deviceName, size: video.size, descends: video.ownSize == nil,
      frameRate: FrameRate(frames: video.framesPerSecond), pixelFormat: video.pixelFormat ?? formatForEncoder,
      spareBufferCount: video.codec == .mjpeg || zoom.maximum <= 1 ? 0 : Limits.spareBuffers,
      budget: video.isMeasured ? video.budget : PictureBudget())
  }

  /// The pixel rates that the machine can encode and keep in memory.
  /// - Parameters:
  ///   - pixelsPerSecond: the rate of one encoding thread; nil if no thread encodes.
  ///   - memoryByteCount: the memory for everything; nil if unknown.
  package func budget(pixelsPerSecond: Double?, processorCount: Int, memoryByteCount: Int?) -> PictureBudget {
    var budget = PictureBudget()
    let encoders = EncoderPool.count(wanted: video.encoderCount, processorCount: processorCount)
    budget.encodedPixelsPerSecond = pixelsPerSecond.map { $0 * Double(encoders) * Limits.encodingPart }
    budget.keptPixelsPerSecond = memoryByteCount.map { bytes in
      Double(bytes) * Limits.picturesPart * Double(Limits.pixelsPerPictureByte) / Double(ringSeconds)
    }
    return budget
  }

  /// The capacity of the rings: the pre-roll, a stall of the card and a margin.
  var ringSeconds: Int {
    Int(record.prerollSeconds + record.stallSeconds) + Limits.ringMarginSeconds
      + (video.offsetMilliseconds == 0 ? 0 : Limits.offsetSeconds)
  }

  /// For a hardware encoder chosen by name, the camera must not compress its pictures.
  private var formatForEncoder: PixelFormat? { video.codec?.hasDependentPictures == true ? .nv12 : nil }

  func encoderRequest(
    _ codec: VideoCodec, _ picture: VideoFormat, sharing camera: borrowing some CameraDriver & ~Copyable
  ) -> VideoEncoderRequest {
    var request = VideoEncoderRequest(
      deviceName: video.encoderDeviceName, codec: codec, picture: picture, bitsPerSecond: video.bitsPerSecond,
      picturesPerKeyframe: max(UInt32(picture.frameRate.framesPerSecond * video.keyframeSeconds), 1),
      sharedBuffers: nil)
    if mayShare(buffersOf: camera), let descriptor = camera.bufferDescriptor(at: 0) {
      let byteCount = unsafe camera.bufferMemory(at: 0).count
      request.sharedBuffers = (camera.bufferCount + camera.spareBufferCount, descriptor, byteCount)
    }
    return request
  }

  /// A picture that is zoomed in software must not be read in the camera's buffer.
  private func mayShare(buffersOf camera: borrowing some CameraDriver & ~Copyable) -> Bool {
    zoom.maximum <= 1 || camera.maximumZoom != nil || camera.spareBufferCount > 0
  }

  /// The format that memory is planned for without a card: the largest that was requested.
  var requestedAudioFormat: AudioFormat {
    let card = AudioFormat(
      sampleRateHz: audio.sampleRateHz, channelCount: audio.channelCount, sampleFormat: audio.sampleFormat ?? .float32)
    return audio.processing.output(ofCard: card, wanted: audio.sampleFormat)
  }

  /// The bytes that stay free on the card.
  var reserveByteCount: UInt64 { max(storage.reserveByteCount, TakeLimits.leastReserveByteCount) }

  /// Free bytes needed to start a take.
  var firstByteCount: UInt64 { TakeLimits.firstByteCount(reserveByteCount: reserveByteCount) }

  func writingSettings(
    identity: DeviceIdentity, signingKey: SigningKey, software: StaticString, localTime: LocalTime
  ) -> WritingSettings {
    WritingSettings(
      record: record, naming: TakeNaming(record.names, localTime),
      settlingMilliseconds: TakeLimits.settlingMilliseconds(
        debounceMilliseconds: UInt64(buttons.debounceMilliseconds), tickMilliseconds: UInt64(loop.tickMilliseconds)),
      reserveByteCount: reserveByteCount, identity: identity, signingKey: signingKey, software: software)
  }
}

extension ToneSettings {
  /// The tone of `tone on`.
  var usual: Tone { Tone(hertz: frequencyHz, levelDecibels: levelDecibels) }

  /// The tone of `standby on`, before a tone was set.
  var standby: Tone { Tone(hertz: standbyFrequencyHz, levelDecibels: levelDecibels) }
}

extension Limits {
  /// Buffers like the camera's for zoomed pictures: the hardware encoder reads one while the next is written.
  static var spareBuffers: Int { 2 }

  /// The fraction of the encoders' time that is planned for: the rest is for harder pictures and other work.
  static var encodingPart: Double { 0.7 }

  /// The fraction of the free memory that the picture ring may take.
  static var picturesPart: Double { 0.5 }

  /// How long a microphone may deliver nothing, beyond the length of its own buffer, before it is lost.
  static var microphonePatienceMilliseconds: UInt64 { 500 }

  /// How many pictures a camera may miss before it is lost, but not before a second: some hold pictures back while they
  /// adjust to the light, and reopening one takes about as long.
  static var cameraPatiencePictures: UInt64 { 5 }

  /// The shortest patience; see ``cameraPatiencePictures``.
  static var leastCameraPatienceMilliseconds: UInt64 { 1000 }
}
