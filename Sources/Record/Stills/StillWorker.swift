import Base
import Media

/// Makes stills from pictures that also go to the encoder, on its own thread, and returns their buffers.
///
/// It never blocks: a still that does not fit into the ring, because the card has not taken the earlier ones, is
/// dropped and reported.
package struct StillWorker: ~Copyable {
  private let buffers: CameraBuffers
  private let maximumByteCount: Int
  private var coder: StillCoder
  private var pictures: QueueConsumer<StillPicture>
  private var receipts: QueueProducer<StillReceipt>
  private var stills: PacketRingProducer<StillHeader>

  /// - Parameters:
  ///   - coder: made for the camera's format.
  ///   - maximumByteCount: ``StillCoder/maximumByteCount(format:)``.
  ///   - pictures: filled buffers, from the loop.
  ///   - receipts: the same buffers, back to the loop; has as many places as `pictures`.
  ///   - stills: to the storage worker; has more than `maximumByteCount` bytes, or nothing ever fits.
  package init(
    coder: consuming StillCoder, maximumByteCount: Int, buffers: CameraBuffers,
    pictures: consuming QueueConsumer<StillPicture>, receipts: consuming QueueProducer<StillReceipt>,
    stills: consuming PacketRingProducer<StillHeader>
  ) {
    self.coder = coder
    self.maximumByteCount = maximumByteCount
    self.buffers = buffers
    self.pictures = pictures
    self.receipts = receipts
    self.stills = stills
  }

  /// Call once, before ``step()`` and on the same thread: this may use the heap.
  package mutating func prepareThread() { coder.prepareThread() }

  /// Handles the next picture.
  /// - Returns: false if there was none.
  package mutating func step() -> Bool {
    guard let still = pictures.pop() else { return false }
    let isGivenBack = receipts.push(
      StillReceipt(
        bufferIndex: still.picture.bufferIndex, number: still.order.number, outcome: make(still)))
    precondition(isGivenBack, "the queue of receipts holds fewer than that of pictures")
    return true
  }

  private mutating func make(_ still: StillPicture) -> StillReceipt.Outcome {
    let buffers = buffers
    guard let bytes = buffers[Int(still.picture.bufferIndex), byteCount: still.picture.byteCount] else {
      return .unusable
    }
    return Self.code(still, of: bytes, buffers.format, maximumByteCount: maximumByteCount, with: &coder, into: &stills)
  }

  private static func code(
    _ still: StillPicture, of bytes: RawSpan, _ format: VideoFormat?, maximumByteCount: Int,
    with coder: inout StillCoder,
    into stills: inout PacketRingProducer<StillHeader>
  ) -> StillReceipt.Outcome {
    guard var buffer = stills.acquire(maximumByteCount: maximumByteCount) else { return .cardIsBehind }
    do throws(JPEGEncoderError) {
      let coded = try coder.code(still, of: bytes, format, into: &buffer)
      stills.commit(StillHeader(of: still, coded), byteCount: coded.byteCount)
      return .coded
    } catch {
      if case .outputFull = error { return .tooLarge }
      return .unusable
    }
  }
}

extension StillHeader {
  fileprivate init(of still: StillPicture, _ coded: CodedStill) {
    let exposure = Int64(bitPattern: still.picture.header.instant.rawValue)
    self.init(
      number: still.order.number, orientation: still.order.orientation, widthPixels: coded.widthPixels,
      heightPixels: coded.heightPixels, unixNanoseconds: exposure &+ still.order.unixOffsetNanoseconds,
      unixOffsetNanoseconds: still.order.unixOffsetNanoseconds, position: still.picture.header.samplePosition)
  }
}
