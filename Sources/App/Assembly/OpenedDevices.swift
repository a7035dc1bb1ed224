import Base
import Configuration
import Machine
import Media
import Playback
import Record

/// The results of opening everything that the machine has; the memory needed follows from them.
struct OpenedMachine: ~Copyable {
  var store: Storage
  let journal: TakeJournal
  /// The storage of the identity's copy; nil if there is none.
  var identityCopy: Storage?
  let identity: IdentityOrigin
  /// A message about the identity; empty if there is none.
  let identityEvent: FixedText<256>
  /// Why the identity's copy could not be used.
  let identityCopyFailure: DeviceFailure?
  /// Why the fallback folder cannot be used.
  let fallbackFailure: DeviceFailure?
  /// Includes the device's identity.
  let context: ApplianceContext
  /// Seals the takes.
  let signingKey: SigningKey
  let devices: OpenedDevices
  let speaker: OpenedSpeaker
  var encoder: OpenedEncoder
  let encoders: EncoderCount
  let plan: MemoryPlan
  /// Decodes what is played.
  var player: Decoder
  /// Examines the library's files.
  var prober: Decoder
  /// The library's storage.
  var media: Storage
  /// The storage for listing and removing takes.
  var takes: Storage
  /// The storage for the applications' files.
  var notes: Storage
  var view: View
}

extension OpenedMachine {
  /// - Parameter fresh: for a device that has no identity or no key yet.
  /// - Throws: if something essential is refused.
  init(_ machine: inout Hardware, _ context: ApplianceContext, newDevice fresh: NewDevice) throws(DeviceFailure) {
    let settings = context.settings
    var store = try machine.openStorage()
    var context = context
    var opened = OpenedIdentityCopy(machine, settings)
    let made = machine.clock.source > .unset ? machine.clock.unixSeconds : nil
    var journal = try TakeJournal(from: &store)
    let identity = try LoadedIdentity(
      from: &store, copy: &opened.storage, as: opened.use,
      orMake: IdentityRecord(identity: fresh.identity, madeUnixSeconds: made), hasTakes: journal.hasTakes)
    context.identity = identity.record.identity
    let signingKey = try SigningKeyFile.load(from: &store, copy: &opened.storage, orMake: fresh.signingSeed, &journal)
    let copyFolder = opened.isUsed ? opened.path : nil
    var fallbackFailure: DeviceFailure?
    do throws(DeviceFailure) { try machine.checkFallback() } catch { fallbackFailure = error }
    let devices = OpenedDevices(&machine, settings: settings)
    let speaker = OpenedSpeaker(&machine, settings: settings)
    let encoder = OpenedEncoder(machine, settings: settings, video: devices.video)
    let isCodedByMachine = encoder.summary.input != nil
    let encoders = EncoderCount(
      wanted: settings.video.encoderCount, processorCount: context.processorCount, video: devices.video,
      cameraZooms: machine.camera.device.maximumZoom != nil, isCodedByMachine: isCodedByMachine)
    let plan = MemoryPlan(
      settings: settings, audio: devices.audio ?? settings.requestedAudioFormat, video: devices.video,
      encoderCount: encoders.count, isCodedByMachine: isCodedByMachine)
    self.init(
      store: store, journal: journal, identityCopy: opened.storage.take(),
      identity: IdentityOrigin(
        record: identity.record, next: fresh.nextIdentity, copyFolder: copyFolder, serialNumber: machine.serialNumber),
      identityEvent: identity.news, identityCopyFailure: opened.failure ?? identity.copyFailure,
      fallbackFailure: fallbackFailure, context: context, signingKey: signingKey, devices: devices, speaker: speaker,
      encoder: encoder, encoders: encoders, plan: plan,
      player: try machine.openDecoder(
        DecoderSetup(
          format: speaker.format, ringByteCount: PlaybackLimits.leastRingByteCount(speaker.format),
          identity: identity.record.identity)),
      prober: try machine.openDecoder(.prober),
      media: try machine.openFolder(for: .browsing), takes: try machine.openFolder(for: .keeping),
      notes: try machine.openFolder(for: .recording), view: try machine.openView(plan.viewSetup))
  }
}

/// The result of opening the folder with the identity's copy.
private struct OpenedIdentityCopy: ~Copyable {
  /// Nil if there is none, or it could not be opened.
  var storage: Storage?
  private(set) var path: FixedText<128>?
  private(set) var use = IdentityCopyUse.mirror
  /// Why the configured folder could not be opened.
  private(set) var failure: DeviceFailure?

  var isUsed: Bool { storage != nil }

  init(_ machine: borrowing Hardware, _ settings: Settings) {
    do throws(DeviceFailure) {
      guard let folder = try machine.openIdentityCopy() else { return }
      path = folder.path
      if settings.identity.copy == .automatic { use = folder.isInUse ? .originInUse : .origin }
      storage = folder.takeStorage()
    } catch {
      // Nobody asked for the automatic one, and a machine without that folder does not need it.
      if settings.identity.copy != .automatic { failure = error }
    }
  }
}

/// The results of opening microphone and camera.
struct OpenedDevices {
  var audio: AudioFormat?
  var video: VideoFormat?
  var microphoneFailure: DeviceFailure?
  var cameraFailure: DeviceFailure?

  /// The devices opened after boot.
  init(audio: AudioFormat?, video: VideoFormat?, microphoneFailure: DeviceFailure?, cameraFailure: DeviceFailure?) {
    self.audio = audio
    self.video = video
    self.microphoneFailure = microphoneFailure
    self.cameraFailure = cameraFailure
  }

  /// At boot: opens the devices to record with, and waits for them. If one is missing, the other is still used.
  init(_ machine: inout Hardware, settings: Settings) {
    do throws(DeviceFailure) {
      audio = try machine.microphone.device.open(settings.microphoneRequest)
    } catch {
      microphoneFailure = error
    }
    guard settings.record.content.hasCamera else { return }
    do throws(DeviceFailure) {
      video = try machine.camera.device.open(settings.cameraRequest)
    } catch {
      cameraFailure = error
    }
  }

  /// Closes a camera whose format does not fit the memory planned at boot, such as one that was not there then.
  mutating func refuseCamera(_ camera: borrowing SharedDevice<some CameraDriver & ~Copyable>, settings: Settings) {
    camera.lend(.close)
    video = nil
    cameraFailure = DeviceFailure(
      device: .camera, kind: .unsupported, subject: settings.video.deviceName,
      problem: "sends frames that do not fit the reserved memory", remedy: "restart the recorder")
  }
}

struct OpenedSpeaker {
  /// The speaker's format, or the requested one without a speaker, because the decoder needs a format.
  var format: AudioFormat
  var isOpen: Bool { failure == nil && isWanted }
  var failure: DeviceFailure?
  private let isWanted: Bool

  /// Opens the speaker if one is configured.
  init(_ machine: inout Hardware, settings: Settings) {
    isWanted = settings.speaker.deviceName != nil
    format = AudioFormat(
      sampleRateHz: settings.speaker.sampleRateHz, channelCount: settings.speaker.channelCount,
      sampleFormat: settings.speaker.sampleFormat ?? .int16)
    guard let request = settings.speakerRequest else { return }
    do throws(DeviceFailure) {
      format = try machine.speaker.device.open(request)
    } catch {
      failure = error
    }
  }
}

/// The state of the hardware encoder, as the loop keeps and reports it.
struct EncoderSummary {
  /// The codec of the pictures in the ring.
  var codec = VideoCodec.mjpeg
  /// How pictures get into the encoder; nil if there is none.
  var input: EncoderInput?
  /// Why there is no encoder, if one was asked for.
  var failure: DeviceFailure?
}

/// The result of opening the hardware encoder for the camera's pictures.
struct OpenedEncoder: ~Copyable {
  /// Nil if the pictures become JPEGs.
  var encoder: VideoEncoder?
  private(set) var summary = EncoderSummary()

  /// - Parameter video: the camera's format; nil if there are no pictures.
  init(_ machine: borrowing Hardware, settings: Settings, video: VideoFormat?) {
    guard let video, settings.video.codec != .mjpeg else { return }
    let codec = settings.video.codec ?? .h264
    guard video.pixelFormat != .mjpeg else {
      if settings.video.codec != nil { summary.failure = settings.encoderFailure("does not accept JPEG frames") }
      return
    }
    do throws(DeviceFailure) {
      let opened = try machine.openVideoEncoder(settings.encoderRequest(codec, video, sharing: machine.camera.device))
      try use(opened, for: codec, video, settings)
    } catch {
      // If `codec` is left to the machine, a missing encoder is not a failure.
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
  /// The failure if none of the camera's formats can be encoded.
  static func cannotEncode(_ settings: Settings) -> DeviceFailure {
    DeviceFailure(
      device: .camera, kind: .unsupported, subject: settings.video.deviceName,
      problem: "sends frames that cannot be encoded", remedy: "set another [video] format, width or height")
  }
}
