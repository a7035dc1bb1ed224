import Machine

/// The behaviour of a ``ScriptedVideoEncoder``, and a record of the calls to it.
package final class EncoderScript {
  /// A picture given to the encoder.
  struct Picture {
    var slot: Int
    var timestampMicroseconds: UInt64
    /// Nil if it was copied.
    var descriptor: Int32?
  }

  /// How pictures are passed to the encoder.
  package var input = EncoderInput.shared
  /// How many pictures are held back until more follow, or until draining.
  package var keptPictures = 0
  /// The interval between keyframes if none is requested.
  package var picturesPerKeyframe = 10
  /// Whether every call fails.
  package var isGone = false
  /// Whether it produces no output.
  package var isStuck = false
  /// The numbers of damaged packets, counted from 0.
  package var damagedPackets: Set<Int> = []
  /// The numbers of pictures that produce no packet.
  package var skippedPictures: Set<Int> = []

  /// Whether it has been closed.
  package private(set) var isClosed = false
  /// How often pictures arrived after a drain or at the start.
  package private(set) var startCount = 0
  /// The camera buffers of the submitted pictures, in order.
  package private(set) var submittedSlots: [Int] = []
  /// How often it was drained.
  package private(set) var drainCount = 0
  /// How often a keyframe was requested.
  package private(set) var keyframeRequestCount = 0
  /// Total time spent waiting for it, in milliseconds.
  package private(set) var waitedMilliseconds = 0

  /// Buffers being written by the processor.
  var writtenDescriptors: Set<Int32> = []
  var inside: [Picture] = []
  var emptied: [Int] = []
  var packets: [CodedPacket] = []
  var isRunningDry = false
  /// The last picture copied into it.
  package internal(set) var room = [UInt8](repeating: 0, count: 1 << 16)
  private var isStarted = false
  private var pictureCount = 0
  private var packetCount = 0
  private var picturesSinceKeyframe = 0

  /// An encoder that reads the camera's own buffers and encodes each picture at once.
  package init() {}

  /// A coded picture: its timestamp.
  package static func bytes(timestampMicroseconds: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: timestampMicroseconds >> (8 * $0)) }
  }

  /// The timestamp of a coded picture.
  package static func timestamp(_ bytes: [UInt8]) -> UInt64 {
    bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * UInt64($1.offset)) }
  }

  func check() throws(DeviceFailure) {
    guard isGone else { return }
    throw DeviceFailure(
      device: .encoder, kind: .absent, subject: "/dev/video11", problem: "was taken away by a test", remedy: "wait")
  }

  func submit(_ picture: Picture) {
    precondition(!isRunningDry, "a picture was handed to an encoder that runs dry")
    if let descriptor = picture.descriptor {
      precondition(!writtenDescriptors.contains(descriptor), "a picture was handed over while it is written")
      submittedSlots.append(picture.slot)
    }
    precondition(!inside.contains { $0.slot == picture.slot && picture.slot >= 0 }, "a slot was handed over twice")
    if !isStarted {
      isStarted = true
      startCount += 1
      picturesSinceKeyframe = 0
    }
    inside.append(picture)
    code()
  }

  /// Encodes all pictures that are not held back.
  package func code() {
    while !isStuck, inside.count > (isRunningDry ? 0 : keptPictures) {
      let picture = inside.removeFirst()
      emptied.append(picture.slot)
      defer { pictureCount += 1 }
      guard !skippedPictures.contains(pictureCount) else { continue }
      let isKeyframe = picturesSinceKeyframe % picturesPerKeyframe == 0
      picturesSinceKeyframe = isKeyframe ? 1 : picturesSinceKeyframe + 1
      packets.append(
        CodedPacket(
          bufferIndex: packetCount, byteCount: 8, timestampMicroseconds: picture.timestampMicroseconds,
          isKeyframe: isKeyframe, isDamaged: damagedPackets.contains(packetCount)))
      packetCount += 1
    }
  }

  func requestKeyframe() {
    keyframeRequestCount += 1
    picturesSinceKeyframe = 0
  }

  func drain() {
    drainCount += 1
    isRunningDry = true
    code()
  }

  /// Ends draining once the last packet has been fetched.
  func endDrainingIfDry() {
    guard isRunningDry, inside.isEmpty, packets.isEmpty else { return }
    isRunningDry = false
    isStarted = false
  }

  func wait(milliseconds: Int32) { waitedMilliseconds += Int(milliseconds) }

  func close() {
    isClosed = true
    inside = []
    emptied = []
    packets = []
  }
}
