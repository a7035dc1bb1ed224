import Media
import Rings

/// Takes the camera's pictures in order, puts them into the frame ring as JPEG, and gives their buffers back.
///
/// It never waits: a picture that finds the ring full is dropped and counted.
public struct EncoderWorker: ~Copyable {
  private let maximumByteCount: Int
  private let buffers: CameraBuffers
  private let counters: EncoderCounters
  private var encoder: JPEGEncoder?
  private var rawPictures: QueueConsumer<RawPicture>
  private var emptiedBuffers: QueueProducer<UInt16>
  private var encodedPictures: PacketRingProducer<PictureHeader>

  /// - Parameters:
  ///   - format: what the camera delivers.
  ///   - encoder: made for `format`; nil when the camera delivers JPEG, which is passed on untouched. Many USB cameras
  ///     leave out the Huffman tables, as AVI's Motion JPEG allows: players fill in the standard ones.
  ///   - rawPictures: filled buffers, from the loop.
  ///   - emptiedBuffers: indices of buffers, back to the loop; holds as many as there are buffers.
  ///   - encodedPictures: has more than ``JPEGEncoder/maximumByteCount(format:)`` bytes, or nothing ever fits.
  public init(
    format: VideoFormat, encoder: consuming JPEGEncoder?, buffers: CameraBuffers, counters: EncoderCounters,
    rawPictures: consuming QueueConsumer<RawPicture>, emptiedBuffers: consuming QueueProducer<UInt16>,
    encodedPictures: consuming PacketRingProducer<PictureHeader>
  ) {
    let isCompressed = format.pixelFormat == .mjpeg
    precondition(isCompressed == (encoder == nil), "raw pictures need an encoder, compressed ones none")
    maximumByteCount = JPEGEncoder.maximumByteCount(format: format)
    self.buffers = buffers
    self.counters = counters
    self.encoder = encoder
    self.rawPictures = rawPictures
    self.emptiedBuffers = emptiedBuffers
    self.encodedPictures = encodedPictures
  }

  /// To be called once by the thread that is to call ``step()``, before that: it may use the heap.
  public mutating func prepareThread() {
    guard encoder != nil else { return }
    encoder!.prepareThread()
  }

  /// Deals with the next picture.
  /// - Returns: false when there was none.
  public mutating func step() -> Bool {
    guard let picture = rawPictures.pop() else { return false }
    switch deliver(picture) {
    case .delivered: counters.countDelivered()
    case .ringFull: counters.countDropped(samplePosition: picture.header.samplePosition)
    case .unusable: counters.countFailed()
    }
    let isGivenBack = emptiedBuffers.push(picture.bufferIndex)
    precondition(isGivenBack, "the queue of emptied buffers holds fewer than the camera has")
    return true
  }

  private enum Outcome {
    case delivered
    case ringFull
    case unusable
  }

  private mutating func deliver(_ picture: RawPicture) -> Outcome {
    let buffers = buffers
    guard let bytes = buffers[Int(picture.bufferIndex), byteCount: picture.byteCount] else { return .unusable }
    guard encoder != nil else { return passOn(bytes, picture.header) }
    return Self.encode(
      bytes, picture.header, maximumByteCount: maximumByteCount, with: &encoder!, into: &encodedPictures)
  }

  private static func encode(
    _ picture: RawSpan, _ header: PictureHeader, maximumByteCount: Int, with encoder: inout JPEGEncoder,
    into encodedPictures: inout PacketRingProducer<PictureHeader>
  ) -> Outcome {
    guard var room = encodedPictures.acquire(maximumByteCount: maximumByteCount) else { return .ringFull }
    guard let byteCount = try? encoder.encode(picture: picture, into: &room) else { return .unusable }
    encodedPictures.commit(header, byteCount: byteCount)
    return .delivered
  }

  private mutating func passOn(_ jpeg: RawSpan, _ header: PictureHeader) -> Outcome {
    guard jpeg.byteCount <= maximumByteCount, jpeg.startsWithStartOfImage else { return .unusable }
    guard var room = encodedPictures.acquire(maximumByteCount: jpeg.byteCount) else { return .ringFull }
    unsafe room.withUnsafeMutableBytes { target in
      unsafe jpeg.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
    encodedPictures.commit(header, byteCount: jpeg.byteCount)
    return .delivered
  }
}

extension RawSpan {
  /// Whether the marker SOI comes first (ITU-T T.81, table B.1).
  fileprivate var startsWithStartOfImage: Bool {
    guard byteCount >= 2 else { return false }
    return unsafe unsafeLoadUnaligned(fromByteOffset: 0, as: UInt16.self).bigEndian == 0xFFD8
  }
}
