import Base
import Media

/// Draws the newest picture of the picture ring for a terminal, on request, or measures how much of it moves. It reads
/// the ring through a tap, so that it cannot disturb the encoder or the storage worker.
package struct PreviewWorker: ~Copyable {
  private let tap: PacketRingTap<PictureHeader>
  private let plan: PreviewPlan
  private var requests: QueueConsumer<PreviewRequest>
  private var answers: QueueProducer<PreviewAnswer>
  private var motions: JobWorkerEnd<MotionRequest, MotionReply>
  private var meter = MotionMeter()
  /// The picture that was measured last.
  private var measured: PictureNumber?
  private var picture: TappedPicture
  private var text: DrawingText
  private let artwork: ArtworkCell?
  /// A copy of the artwork.
  private var artworkPixels: FixedBuffer

  /// - Parameters:
  ///   - artwork: a media file's picture; nil if there is none.
  ///   - text: ``PreviewPlan/textByteCount`` bytes.
  ///   - memory: for the rest of ``PreviewPlan/byteCount``.
  /// - Throws: like ``TappedPicture``.
  package init(
    tap: PacketRingTap<PictureHeader>, plan: PreviewPlan, requests: consuming QueueConsumer<PreviewRequest>,
    answers: consuming QueueProducer<PreviewAnswer>, motions: consuming JobWorkerEnd<MotionRequest, MotionReply>,
    text: consuming DrawingText,
    artwork: ArtworkCell? = nil, in memory: inout BootMemory
  ) throws(JPEGDecoderError) {
    guard let pixels = FixedBuffer(byteCount: artwork == nil ? 0 : Artwork.largestByteCount, in: &memory) else {
      throw .memoryTooSmall
    }
    picture = try TappedPicture(
      largest: plan.largestPicture, jpegByteCount: plan.jpegByteCount, rgbByteCount: plan.rgbByteCount, in: &memory)
    artworkPixels = pixels
    self.artwork = artwork
    self.tap = tap
    self.plan = plan
    self.requests = requests
    self.answers = answers
    self.motions = motions
    self.text = text
  }

  /// Must be called once, before ``step()`` and on the same thread: this may use the heap.
  package mutating func prepareThread() { picture.prepareThread() }

  /// Answers the next request.
  /// - Returns: false if there was none.
  package mutating func step() -> Bool {
    guard let request = requests.pop() else { return measureMotion() }
    let isReported = answers.push(request.isArtwork ? drawArtwork(request) : draw(request))
    precondition(isReported, "each request is answered before the next one is made")
    return true
  }

  /// Answers the next request about motion, from the picture at an eighth of its size: the means of its blocks, which a
  /// JPEG holds.
  @export(interface)
  private mutating func measureMotion() -> Bool {
    guard let request = motions.requests.pop() else { return false }
    var reply: MotionReply = nil
    if let sequence = picture.takeNewest(of: tap), sequence != measured, picture.decode(scaleEighths: 1) {
      measured = sequence
      reply = Self.motion(in: picture, request.value, &meter)
    }
    let isTold = motions.answers.push(Ticketed(ticket: request.ticket, value: reply))
    precondition(isTold, "the loop has not taken the reply to the request before the last one")
    return true
  }

  private static func motion(
    in picture: borrowing TappedPicture, _ request: MotionRequest, _ meter: inout MotionMeter
  ) -> MotionReply {
    guard let size = picture.size else { return nil }
    return meter.percent(picture.pixels, size, sensitivity: request.sensitivity, zones: request.zones)
  }

  @export(interface)
  private mutating func draw(_ request: PreviewRequest) -> PreviewAnswer {
    guard picture.takeNewest(of: tap) != nil else { return tap.newest == nil ? .noPicture : .unreadable }
    let rotation = QuarterTurn(upright: request.orientation)
    let grid = Self.grid(for: plan.picture.rotated(by: rotation), request)
    guard picture.decode(scaleEighths: plan.scaleEighths(for: grid.rotated(by: rotation.reversed))) else {
      return .unreadable
    }
    text.removeAll()
    Self.draw(picture, request, into: &text)
    return text.isOverfull ? .unreadable : .drawn(byteCount: text.byteCount)
  }

  private static func draw(
    _ picture: borrowing TappedPicture, _ request: PreviewRequest, into text: inout DrawingText
  ) {
    guard let size = picture.size else { return }
    // Safe: any byte makes a valid UInt8.
    let pixels = unsafe picture.pixels.extracting(first: 3 * size.width * size.height)._unsafeView(as: UInt8.self)
    draw(UprightPicture(pixels: pixels, size: size, orientation: request.orientation), request, into: &text)
  }

  @export(interface)
  private mutating func drawArtwork(_ request: PreviewRequest) -> PreviewAnswer {
    guard let size = copyArtwork(), size.width > 0 else { return .noPicture }
    text.removeAll()
    Self.draw(artworkPixels, size, request, into: &text)
    return text.isOverfull ? .unreadable : .drawn(byteCount: text.byteCount)
  }

  /// - Returns: its size, 0 by 0 if there is none; nil while it is being replaced.
  private mutating func copyArtwork() -> PixelSize? {
    guard let artwork else { return nil }
    var pixels = artworkPixels.mutableBytes
    return artwork.read(into: &pixels)?.size
  }

  private static func draw(
    _ artwork: borrowing FixedBuffer, _ size: PixelSize, _ request: PreviewRequest, into text: inout DrawingText
  ) {
    let pixels = artwork.text(3 * size.width * size.height)
    draw(UprightPicture(pixels: pixels, size: size, orientation: .landscapeLeft), request, into: &text)
  }

  private static func draw(
    _ upright: borrowing UprightPicture, _ request: PreviewRequest, into text: inout DrawingText
  ) {
    switch request.style {
    case .halfBlocks: HalfBlocks.draw(upright, fittedInto: request.space, into: &text)
    case .shades: Shades.draw(upright, fittedInto: request.space, into: &text)
    case .sixels: Sixels.draw(upright, fittedInto: request.space, into: &text)
    }
  }

  private static func grid(for upright: PixelSize, _ request: PreviewRequest) -> PixelSize {
    switch request.style {
    case .halfBlocks, .shades: HalfBlocks.grid(for: upright, request.space)
    case .sixels: Sixels.grid(for: upright, request.space)
    }
  }
}
