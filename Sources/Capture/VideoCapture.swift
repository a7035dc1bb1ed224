import Board
import Media
import Rings
import Trace

/// Takes filled buffers from the camera, stamps them with their place on the timeline, and passes them to the encoder by
/// index; buffers that the encoder is done with go back to the camera.
public struct VideoCapture: ~Copyable {
  private var pictures: QueueProducer<RawPicture>
  private var emptied: QueueConsumer<Int>
  private var nextSequence: UInt32?
  private var newestPosition: UInt64 = 0
  /// Pictures passed on since boot.
  public private(set) var pictureCount: UInt64 = 0

  /// - Parameters:
  ///   - pictures: to the encoder; holds as many as the camera has buffers.
  ///   - emptied: from the encoder, the indices of buffers it is done with.
  public init(pictures: consuming QueueProducer<RawPicture>, emptied: consuming QueueConsumer<Int>) {
    self.pictures = pictures
    self.emptied = emptied
  }

  /// Gives empty buffers back and takes at most `maximumPictures` filled ones.
  public mutating func step(
    from camera: inout some Camera & ~Copyable, maximumPictures: Int, timedBy clock: borrowing SampleClock,
    into log: inout EventLog
  ) throws(DeviceFailure) {
    while let index = emptied.pop() { try camera.requeue(bufferIndex: index) }
    for _ in 0..<maximumPictures {
      guard !pictures.isFull, let frame = try camera.dequeue() else { return }
      pass(frame, at: clock.position(atNanoseconds: frame.monotonicNanoseconds), into: &log)
    }
  }

  /// Forgets the camera's count, for a camera that was opened anew.
  public mutating func restart() {
    nextSequence = nil
  }

  private mutating func pass(_ frame: CameraFrame, at position: UInt64, into log: inout EventLog) {
    // A camera that hands out one timestamp twice must not give two pictures one place.
    let position = pictureCount == 0 ? position : max(position, newestPosition + 1)
    countGap(before: frame.sequence, at: position, into: &log)
    newestPosition = position
    pictureCount += 1
    let header = PictureHeader(samplePosition: position, cameraSequence: frame.sequence)
    let isPassed = pictures.push(
      RawPicture(bufferIndex: frame.bufferIndex, byteCount: frame.byteCount, header: header))
    precondition(isPassed, "the queue to the encoder has room for every buffer of the camera")
  }

  private mutating func countGap(before sequence: UInt32, at position: UInt64, into log: inout EventLog) {
    if let expected = nextSequence, sequence != expected {
      log.record(Event(kind: .cameraFrameDropped, amount: UInt64(sequence &- expected), samplePosition: position))
    }
    nextSequence = sequence &+ 1
  }
}
