import Imaging
import Media
import Rings

/// Draws the newest picture of the frame ring for a terminal, when it is asked to. It reads the ring by a tap, so that
/// neither the encoder nor the card's worker can tell that it is there.
public struct PreviewWorker: ~Copyable {
  private let tap: PacketRingTap<PictureHeader>
  private let plan: PreviewPlan
  private var requests: QueueConsumer<PreviewRequest>
  private var answers: QueueProducer<PreviewAnswer>
  private var decoder: JPEGDecoder
  private var jpeg: FixedBuffer
  private var rgb: FixedBuffer
  private var text: DrawingText

  /// - Parameters:
  ///   - text: ``PreviewPlan/textByteCount`` bytes.
  ///   - memory: gives the rest of ``PreviewPlan/byteCount``.
  /// - Throws: as ``JPEGDecoder``; `memoryTooSmall` when it is the other buffers that do not fit.
  public init(
    tap: PacketRingTap<PictureHeader>, plan: PreviewPlan, requests: consuming QueueConsumer<PreviewRequest>,
    answers: consuming QueueProducer<PreviewAnswer>, text: consuming DrawingText, in memory: inout BootMemory
  ) throws(JPEGDecoderError) {
    let decoder = try JPEGDecoder(
      maximumWidthPixels: max(plan.picture.width, 1), maximumHeightPixels: max(plan.picture.height, 1), in: &memory)
    guard let jpeg = FixedBuffer(byteCount: plan.jpegByteCount, in: &memory),
      let rgb = FixedBuffer(byteCount: plan.rgbByteCount, in: &memory)
    else { throw .memoryTooSmall(neededByteCount: plan.byteCount) }
    self.tap = tap
    self.plan = plan
    self.requests = requests
    self.answers = answers
    self.decoder = decoder
    self.jpeg = jpeg
    self.rgb = rgb
    self.text = text
  }

  /// To be called once by the thread that is to call ``step()``, before that: it may use the heap.
  public mutating func prepareThread() { decoder.prepareThread() }

  /// Draws what is asked for.
  /// - Returns: false when nothing was.
  public mutating func step() -> Bool {
    guard let request = requests.pop() else { return false }
    let isTold = answers.push(draw(request))
    precondition(isTold, "each request is answered before the next one is made")
    return true
  }

  private mutating func draw(_ request: PreviewRequest) -> PreviewAnswer {
    guard let byteCount = Self.copyNewest(of: tap, into: &jpeg) else {
      return tap.newest == nil ? .noPicture : .unreadable
    }
    let turn = QuarterTurn(upright: request.orientation)
    let grid = Self.grid(for: plan.picture.turned(by: turn), request)
    let scale = plan.scaleEighths(for: grid.turned(by: turn.reversed))
    guard let size = Self.decode(jpeg, byteCount, scale, with: &decoder, into: &rgb) else {
      return .unreadable
    }
    text.removeAll()
    Self.draw(rgb, size, request, into: &text)
    return text.isOverfull ? .unreadable : .drawn(byteCount: text.byteCount)
  }

  private static func draw(
    _ rgb: borrowing FixedBuffer, _ size: PixelSize, _ request: PreviewRequest, into text: inout DrawingText
  ) {
    // Sound: any byte makes a valid UInt8.
    let pixels = unsafe rgb.bytes.extracting(first: 3 * size.width * size.height)._unsafeView(as: UInt8.self)
    let picture = UprightPicture(pixels: pixels, size: size, orientation: request.orientation)
    switch request.style {
    case .halfBlocks: HalfBlocks.draw(picture, fittedInto: request.room, into: &text)
    case .sixels: Sixels.draw(picture, fittedInto: request.room, into: &text)
    }
  }

  private static func grid(for upright: PixelSize, _ request: PreviewRequest) -> PixelSize {
    switch request.style {
    case .halfBlocks: HalfBlocks.grid(for: upright, request.room)
    case .sixels: Sixels.grid(for: upright, request.room)
    }
  }

  private static func copyNewest(of tap: PacketRingTap<PictureHeader>, into jpeg: inout FixedBuffer) -> Int? {
    var room = jpeg.mutableBytes
    guard case .packet(let packet) = tap.copyNewest(into: &room) else { return nil }
    return packet.byteCount
  }

  private static func decode(
    _ jpeg: borrowing FixedBuffer, _ byteCount: Int, _ scaleEighths: Int, with decoder: inout JPEGDecoder,
    into rgb: inout FixedBuffer
  ) -> PixelSize? {
    var room = rgb.mutableBytes
    return try? decoder.decodeRGB(
      jpeg: jpeg.bytes.extracting(first: byteCount), scaleEighths: scaleEighths, into: &room)
  }
}
