import Base
import Configuration
import Console
import Machine
import Media
import Record

/// The microphone and the camera: opened at boot or for a take, and closed after it.
extension RecordingService {
  /// Starts filling the pre-roll, with the devices that are open, or else with those that their workers open.
  mutating func arm(at now: Instant) {
    guard recorder.handle(.arm) == .openDevices else { return }
    if capture.isClosed {
      opening = DevicesOpening(withCamera: wantsCamera, at: now)
    } else {
      _ = recorder.handle(.devicesOpened)
    }
  }

  /// Continues to open the devices, and handles the press for which they were opened.
  mutating func openDevices(
    _ machine: inout Hardware, _ console: inout ConsoleSession, at now: Instant
  ) {
    guard var opened = opening?.advance(machine, settings: settings, at: now) else { return }
    opening = nil
    if opened.video != nil, opened.video != camera.format { opened.refuseCamera(machine.camera, settings: settings) }
    opened.announceFailures(&console)
    start(opened, &machine)
    servePress(&machine, &console)
    // No device is looked for before the next press.
    if recorder.state == .failed, settings.record.arming == .atPress { continued.removeAll() }
    if recorder.state == .failed, case .record = console.pending { console.refuse(Self.nothingToRecordFrom) }
  }

  /// Closes the devices if the event calls for it.
  mutating func closeDevices(on event: RecorderEvent, ofTake take: UInt32? = nil, at now: Instant) {
    guard recorder.handle(event, ofTake: take) == .closeDevices else { return }
    capture.requestStop()
    closingEnd = now + Limits.deviceAnswerMilliseconds * 1_000_000
  }

  /// Takes over a microphone and camera that were just opened.
  mutating func start(_ opened: OpenedDevices, _ machine: inout Hardware) {
    var maximumZoom: Double?
    if opened.video != nil {
      listCameraBuffers(machine.camera.device)
      maximumZoom = machine.camera.device.maximumZoom
    }
    codecStatus.replace()
    lastRotation = nil
    capture.start(
      audioFormat: opened.audio, videoFormat: opened.video, maximumZoom: maximumZoom, at: machine.clock.now)
    _ = recorder.handle(capture.isClosed ? .devicesAbsent : .devicesOpened)
    guard !capture.isClosed else { return }
    recorder.send(.arm(StreamFormats(audio: opened.audio, video: opened.video, codec: codec)))
  }

  /// Handles the press that waited for the devices to open, or to fail to open.
  private mutating func servePress(_ machine: inout Hardware, _ console: inout ConsoleSession) {
    guard let pressedAt = keptPress.take(), recorder.state == .preparing else { return }
    press(&machine, &console, at: pressedAt, for: keptCause)
  }

  /// - Parameter otherFormat: the format of its pictures, if memory was planned for another.
  func listCameraBuffers(_ camera: borrowing some CameraDriver & ~Copyable, _ otherFormat: VideoFormat? = nil) {
    cameraBuffers.removeAll()
    cameraBuffers.format = otherFormat
    for index in 0..<camera.bufferCount + camera.spareBufferCount {
      unsafe cameraBuffers.set(
        index, to: camera.bufferMemory(at: index), descriptor: camera.bufferDescriptor(at: index),
        isSpare: index >= camera.bufferCount)
    }
  }

  /// Unless the camera is opened for each take, it is open whatever the next one holds.
  private var wantsCamera: Bool {
    switch settings.record.arming {
    case .atBoot: settings.record.content.hasCamera
    case .atPress: form.content.hasCamera
    }
  }

  /// Reports once that the hardware encoder has failed. Devices and rings are then released between two takes, and
  /// later pictures are encoded as JPEG: a file holds only one codec.
  mutating func watchCodec(_ console: inout ConsoleSession, at now: Instant) {
    if codec != .mjpeg, let failure = codecStatus.failure {
      codec = .mjpeg
      console.announce(failure)
    }
    if codecStatus.phase == .failed { closeDevices(on: .devicesChanged, at: now) }
  }

  /// After a take for which the devices were opened: once they are closed the rings are emptied, and a press that came
  /// meanwhile is handled.
  mutating func advanceClosing(_ machine: borrowing Hardware, at now: Instant) {
    guard recorder.state == .closing else { return }
    if now >= closingEnd { capture.abandonClosing(machine) }
    // Buffers come back before their pictures are in the ring.
    guard capture.isClosed,
      encoderCounters.settledPictureCount == capture.video.pictureCount
    else { return }
    if recorder.handle(.devicesClosed) == .emptyRings { recorder.send(.disarm) }
  }

  /// Reopens devices that run all the time and were closed only because the encoder failed.
  mutating func goOnWithEmptyRings(
    _ machine: inout Hardware, _ console: inout ConsoleSession
  ) {
    if settings.record.arming == .atBoot, !isAsleep || keptPress != nil { return arm(at: machine.clock.now) }
    if let pressedAt = keptPress.take() { press(&machine, &console, at: pressedAt, for: keptCause) }
  }

  private static var nothingToRecordFrom: FixedText<64> { "there is neither a microphone nor a camera" }
}

extension Limits {
  /// How often a lost device is reopened: the longest wait for somebody who reconnects a plug.
  static var deviceRetryMilliseconds: UInt64 { 1000 }

  /// How long the devices may take to open, or to close after a take, before the recorder continues without them. Slow
  /// cards take under a second, and some cameras two.
  static var deviceAnswerMilliseconds: UInt64 { 5000 }
}
