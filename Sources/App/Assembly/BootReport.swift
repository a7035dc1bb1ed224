import Base
import Configuration
import Console
import Machine
import Media
import Record

/// The results of opening everything at boot.
struct BootReport {
  let settings: Settings
  let devices: OpenedDevices
  let encoders: EncoderCount
  let encoder: EncoderSummary
  let speaker: OpenedSpeaker
  let plan: MemoryPlan
  /// Bytes allocated from the recorder's own memory; known once all of it is divided.
  var usedByteCount = 0
  /// The rotation that was chosen before the device was switched off.
  let rotation: Rotation
  /// A message about the identity; empty if there is none.
  let identityEvent: FixedText<256>
  /// Why the identity's copy could not be used.
  let identityCopyFailure: DeviceFailure?
  /// Why the fallback folder cannot be used.
  let fallbackFailure: DeviceFailure?
  /// The take during which the recorder last ended without completing it.
  let interruption: TakeInterruption

  init(_ opened: borrowing OpenedMachine) {
    settings = opened.context.settings
    devices = opened.devices
    encoders = opened.encoders
    encoder = opened.encoder.summary
    speaker = opened.speaker
    plan = opened.plan
    rotation = opened.journal.rotation
    identityEvent = opened.identityEvent
    identityCopyFailure = opened.identityCopyFailure
    fallbackFailure = opened.fallbackFailure
    interruption = opened.journal.interruption
  }

  /// Reports the result for every device in the order in which a person would ask, then arms the recorder, or closes
  /// devices that were opened only to learn their formats.
  func boot(_ loop: inout MainLoop) {
    loop.services.console.announce("\(loop.services.context.software), device \(loop.services.context.identity.text)")
    if let news = loop.services.context.savedEvent { loop.services.console.announce(news) }
    if !identityEvent.isEmpty { loop.services.console.announce(identityEvent) }
    if let identityCopyFailure { loop.services.console.announce(identityCopyFailure) }
    if let fallbackFailure { loop.services.recording.noteFallback(fallbackFailure, &loop.services.console) }
    openControls(&loop)
    announceStreams(&loop.services.console)
    if let line = encoders.line { loop.services.console.announce(line) }
    announceSpeaker(&loop.services.console)
    loop.services.orientation.restore(rotation, &loop.services.console)
    announceEncoder(&loop.services.console)
    loop.services.console.announce(loop.services.retention.policy.line)
    loop.services.console.announce(plan.line(usedByteCount: usedByteCount))
    loop.services.recording.boot(devices, loop.services.orientation.current, &loop.machine, &loop.services.console)
    loop.services.recording.resume(after: interruption, &loop.machine, &loop.services.console)
  }

  private func openControls(_ loop: inout MainLoop) {
    do throws(DeviceFailure) { try loop.machine.buttons.device.open() } catch {
      loop.services.panel.isMissing = true
      loop.services.console.announce(error)
    }
    do throws(DeviceFailure) { try loop.machine.leds.open() } catch { loop.services.console.announce(error) }
    loop.services.orientation.open(&loop.machine.accelerometer.device, &loop.services.console)
  }

  private func announceStreams(_ console: inout ConsoleSession) {
    devices.announceFailures(&console)
    if let audio = devices.audio {
      console.announce(
        """
        microphone \(settings.audio.deviceName): \(grouped: audio.sampleRateHz) Hz, \
        \(count: audio.channelCount, "channel"), \(audio.sampleFormat.name)
        """)
    }
    if let video = devices.video {
      console.announce(
        """
        camera \(settings.video.deviceName): \(video.widthPixels) x \(video.heightPixels), \
        \(video.frameRate.framesPerSecond, decimals: 2) frames a second, \(video.pixelFormat.name)
        """)
      announceOtherSize(video.size, &console)
    }
  }

  /// Reports that the camera does not offer the requested size and delivers another.
  private func announceOtherSize(_ size: FrameSize, _ console: inout ConsoleSession) {
    let asked = settings.video
    guard size != asked.size, asked.preset != .largest || asked.ownSize != nil else { return }
    guard !asked.isMeasured else { return announceBudget(size, &console) }
    console.announce(
      """
      the camera offers no \(asked.size.widthPixels) x \(asked.size.heightPixels) at \(asked.framesPerSecond) frames \
      a second: \(size.widthPixels) x \(size.heightPixels) is used
      """)
  }

  /// Reports that the camera delivers less than it offers because the machine cannot process more.
  private func announceBudget(_ size: FrameSize, _ console: inout ConsoleSession) {
    let (asked, rate) = (settings.video, FrameRate(frames: settings.video.framesPerSecond))
    guard let format = devices.video?.pixelFormat, asked.budget.excess(format, asked.size, rate) > 0 else { return }
    console.announce(
      """
      this machine cannot take in \(asked.size.widthPixels) x \(asked.size.heightPixels) at \(asked.framesPerSecond) \
      frames a second: \(size.widthPixels) x \(size.heightPixels) is used
      """)
  }

  private func announceSpeaker(_ console: inout ConsoleSession) {
    if let failure = speaker.failure { console.announce(failure) }
    guard speaker.isOpen, let name = settings.speaker.deviceName else { return }
    console.announce(
      """
      speaker \(name): \(grouped: speaker.format.sampleRateHz) Hz, \(count: speaker.format.channelCount, "channel"), \
      \(speaker.format.sampleFormat.name)
      """)
  }

  private func announceEncoder(_ console: inout ConsoleSession) {
    if let failure = encoder.failure { console.announce(failure) }
    guard let input = encoder.input else { return }
    let way: StaticString = input == .shared ? "reads the camera's buffers" : "gets copies of the camera's frames"
    console.announce("encoder \(settings.video.encoderDeviceName): \(encoder.codec.name), \(way)")
  }
}

extension OpenedDevices {
  /// Reports which devices could not be opened, and why.
  func announceFailures(_ console: inout ConsoleSession) {
    if let failure = microphoneFailure { console.announce(failure) }
    if let failure = cameraFailure { console.announce(failure) }
  }
}
