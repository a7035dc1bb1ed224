import Base
import TestSupport

/// Microphone, camera and encoder in one: fills the rings with known bytes as time passes.
final class TakeSource {
  static let rateHz: UInt64 = 8_000
  static let audioFormat = AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16)
  static let videoFormat = VideoFormat(
    widthPixels: 64, heightPixels: 48, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: FrameRate(frames: 25))
  private static let framesPerPicture = 320

  var samples: SampleRingProducer
  var pictures: PacketRingProducer<PictureHeader>
  let timeline: Timeline
  let hasAudio: Bool
  let hasVideo: Bool
  var habits: SourceHabits
  private(set) var now: TimelinePosition = 0
  /// Every picture that came into the ring.
  private(set) var made: [MadePicture] = []
  private var underWay: [MadePicture] = []
  private var nextNumber: Int
  private var cameraPauseEnd: TimelinePosition = 0
  private var generator: SeededGenerator

  init(
    samples: consuming SampleRingProducer, pictures: consuming PacketRingProducer<PictureHeader>, timeline: Timeline,
    hasAudio: Bool, hasVideo: Bool, habits: SourceHabits, seed: UInt64
  ) {
    self.samples = samples
    self.pictures = pictures
    self.timeline = timeline
    self.hasAudio = hasAudio
    self.hasVideo = hasVideo
    self.habits = habits
    nextNumber = habits.firstPicture
    generator = SeededGenerator(seed: seed)
  }

  /// Two minutes of sound in which every piece is unique; after it there is silence.
  static let sound: [UInt8] = {
    var generator = SeededGenerator(seed: 7)
    return (0..<120 * rateHz * 2 / 8).flatMap { _ in
      let bits = generator.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    }
  }()

  /// Advances in steps of 10 ms.
  func advance(milliseconds: Int) {
    for _ in 0..<max(milliseconds / 10, 1) {
      now += Self.rateHz / 100
      if hasAudio { fillSamples(upTo: now.earlier(by: .random(in: 0...80, using: &generator))) }
      if hasVideo { fillPictures() }
      timeline.publish(now: now)
    }
  }

  private func fillSamples(upTo end: TimelinePosition) {
    while samples.end < end {
      let first = samples.end
      var room = samples.acquire(maximumFrames: Int(end - first))
      guard room.byteCount > 0 else { return }
      let count = room.byteCount
      Self.copySound(from: Int(first.rawValue), into: &room)
      samples.commit(frameCount: count / 2)
    }
  }

  private static func copySound(from position: Int, into room: inout MutableRawSpan) {
    unsafe room.withUnsafeMutableBytes { target in
      unsafe sound.withUnsafeBytes { bytes in
        let stretch = (position * 2..<position * 2 + target.count).clamped(to: bytes.indices)
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[stretch]))
        for index in stretch.count..<target.count { unsafe target[index] = 0 }
      }
    }
  }

  private func fillPictures() {
    while TimelinePosition(UInt64(nextNumber * Self.framesPerPicture + habits.jitterFrames)) <= now { expose() }
    while let first = underWay.first, first.arrival <= now {
      underWay.removeFirst()
      deliver(first)
    }
  }

  private func expose() {
    let jitter = Int.random(in: -habits.jitterFrames...habits.jitterFrames, using: &generator)
    let position = TimelinePosition(UInt64(max(nextNumber * Self.framesPerPicture + jitter, nextNumber)))
    let number = nextNumber
    nextNumber += 1
    guard position >= cameraPauseEnd, Int.random(in: 0..<1000, using: &generator) >= habits.missingPermille else {
      return
    }
    if Int.random(in: 0..<1000, using: &generator) < habits.pausePermille {
      cameraPauseEnd = position + UInt64.random(in: 0...Self.rateHz * 3 / 2, using: &generator)
    }
    let filler = (0..<Int.random(in: 0...60, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
    }
    underWay.append(
      MadePicture(
        number: number, position: position,
        arrival: position + UInt64(Int.random(in: 0...habits.delayFrames, using: &generator)),
        bytes: habits.packets.isEmpty
          ? [0xFF, 0xD8] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } + filler
          : habits.packets[number % habits.packets.count]))
  }

  func isKeyframe(_ number: Int) -> Bool { number % habits.keyframeInterval == 0 }

  private func deliver(_ picture: MadePicture) {
    guard var room = pictures.acquire(maximumByteCount: picture.bytes.count) else { return }
    for index in picture.bytes.indices {
      room.storeBytes(of: picture.bytes[index], toByteOffset: index, as: UInt8.self)
    }
    let header = PictureHeader(
      samplePosition: picture.position, instant: 0, cameraSequence: UInt32(picture.number),
      isKeyframe: isKeyframe(picture.number))
    pictures.commit(header, byteCount: picture.bytes.count)
    var picture = picture
    picture.arrival = now
    made.append(picture)
  }
}
