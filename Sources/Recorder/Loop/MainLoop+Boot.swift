import Encode
import Port
import Configuration
import Console
import Formats
import Values
import Takes
import Text

extension MainLoop where Machine: ~Copyable {
  /// Says what came of opening every device, and arms the recorder or closes what was opened only to be asked.
  mutating func boot(
    _ opened: OpenedDevices, _ encoders: EncoderCount, _ speaker: OpenedSpeaker, memoryLine: FixedText<256>,
    rotation: Rotation
  ) {
    console.announce("\(context.software), device \(context.identity.text)")
    plannedVideo = opened.video
    openControls()
    announceStreams(opened)
    if let line = encoders.line { console.announce(line) }
    announce(speaker)
    take(over: rotation)
    if let failure = encoderSummary.failure { announce(failure) }
    if let line = announceLine(encoderSummary) { console.announce(line) }
    console.announce(memoryLine)
    switch context.settings.record.arming {
    case .atBoot: arm(with: opened)
    case .atPress:
      if opened.audio != nil { machine.microphone.close() }
      if opened.video != nil { machine.camera.close() }
    }
    console.announce(
      recorder.state == .failed
        ? "failed: there is nothing to record from, help lists the commands"
        : "\(recorder.state.name): the record button begins a take, help lists the commands")
  }

  private mutating func announce(_ speaker: OpenedSpeaker) {
    if let failure = speaker.failure { announce(failure) }
    guard speaker.isOpen, let name = context.settings.speaker.deviceName else { return }
    console.announce(
      """
      speaker \(name): \(speaker.format.sampleRateHz) Hz, \(speaker.format.channelCount) channels, \
      \(speaker.format.sampleFormat.name)
      """)
  }

  private mutating func openControls() {
    do throws(DeviceFailure) { try machine.buttons.open() } catch { announce(error) }
    do throws(DeviceFailure) { try machine.indicators.open() } catch { announce(error) }
    guard context.settings.accelerometer.busName != nil else { return }
    do throws(DeviceFailure) {
      let chip = try machine.accelerometer.open()
      panel.hasAccelerometer = true
      console.announce("accelerometer \(chip)")
    } catch {
      announce(error)
    }
  }

  /// Says which devices could not be opened, and why.
  mutating func announceFailures(of opened: OpenedDevices) {
    if let failure = opened.microphoneFailure { announce(failure) }
    if let failure = opened.cameraFailure { announce(failure) }
  }

  private mutating func announceStreams(_ opened: OpenedDevices) {
    announceFailures(of: opened)
    if let audio = opened.audio {
      console.announce(
        """
        microphone \(context.settings.audio.deviceName): \(audio.sampleRateHz) Hz, \
        \(audio.channelCount) channels, \(audio.sampleFormat.name)
        """)
    }
    if let video = opened.video {
      console.announce(
        """
        camera \(context.settings.video.deviceName): \(video.widthPixels) x \(video.heightPixels), \
        \(video.frameRate.framesPerSecond, decimals: 2) frames a second, \(video.pixelFormat.name)
        """)
      announceOtherSize(video.size)
    }
  }

  /// A camera that does not offer what was asked for delivers something else.
  private mutating func announceOtherSize(_ size: FrameSize) {
    let settings = context.settings.video
    guard size != settings.size, settings.ownSize != nil || settings.preset != nil else { return }
    console.announce(
      """
      the camera offers no \(settings.size.widthPixels) x \(settings.size.heightPixels) at \
      \(settings.framesPerSecond) frames a second: \(size.widthPixels) x \(size.heightPixels) is taken
      """)
  }
}
