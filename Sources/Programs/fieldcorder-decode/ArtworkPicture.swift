import Base
import CFFmpeg
import Wire

/// A media file's cover art, scaled down to at most 200 x 200 pixels, each the mean of up to 16.
enum ArtworkPicture {
  /// The photograph of a good camera; its pixels take up to 150 MB.
  private static let largestPixelCount: Int64 = 50_000_000
  /// At most this many source pixels are sampled in each direction for one output pixel.
  private static let finest = 4

  static func extract(
    from file: borrowing SoundFile, _ input: UnsafeMutablePointer<FileInput>, to output: ExtractOutput
  ) -> Extracted {
    if let stream = unsafe file.picture {
      let picture = unsafe decode(&stream.pointee.attached_pic, to: output)
      if picture != .nothing { return picture }
    }
    let packet = unsafe Heap.packet()
    defer { unsafe Heap.removePacket(packet) }
    return unsafe CoverSearch.find(packet, in: input, of: file) ? decode(packet, to: output) : .nothing
  }

  private static func decode(_ packet: UnsafeMutablePointer<AVPacket>, to output: ExtractOutput) -> Extracted {
    guard let data = unsafe packet.pointee.data,
      let kind = unsafe CoverKind.codec(data, byteCount: Int(packet.pointee.size)),
      let codec = unsafe avcodec_find_decoder(kind)
    else { return .nothing }
    var context = unsafe avcodec_alloc_context3(codec)
    var frame = unsafe av_frame_alloc()
    defer {
      unsafe avcodec_free_context(&context)
      unsafe av_frame_free(&frame)
    }
    let decoder = unsafe Heap.required(context)
    let decoded = unsafe Heap.required(frame)
    unsafe decoder.pointee.thread_count = 1
    unsafe decoder.pointee.max_pixels = largestPixelCount
    guard unsafe avcodec_open2(decoder, codec, nil) >= 0, unsafe avcodec_send_packet(decoder, packet) >= 0 else {
      return .nothing
    }
    // There is one picture, so nothing follows for the decoder to wait for.
    unsafe avcodec_send_packet(decoder, nil)
    guard unsafe avcodec_receive_frame(decoder, decoded) >= 0 else { return .nothing }
    return unsafe shrink(decoded, to: output)
  }

  private static func shrink(_ frame: UnsafeMutablePointer<AVFrame>, to output: ExtractOutput) -> Extracted {
    let width = Int(unsafe frame.pointee.width)
    let height = Int(unsafe frame.pointee.height)
    guard width > 0, height > 0, var rows = unsafe PictureRows(frame) else { return .nothing }
    let longest = max(max(width, height), Artwork.longestSide)
    let columns = max(1, width * Artwork.longestSide / longest)
    let lines = max(1, height * Artwork.longestSide / longest)
    let fineness = min(finest, max((width + columns - 1) / columns, (height + lines - 1) / lines))
    for line in 0..<lines {
      var sums = InlineArray<600, Int>(repeating: 0)
      for step in 0..<fineness {
        rows.read((2 * (line * fineness + step) + 1) * height / (2 * lines * fineness))
        for sample in 0..<columns * fineness {
          let color = rows.color(at: (2 * sample + 1) * width / (2 * columns * fineness))
          let column = sample / fineness
          sums[3 * column] += color.red
          sums[3 * column + 1] += color.green
          sums[3 * column + 2] += color.blue
        }
      }
      let count = fineness * fineness
      for index in 0..<3 * columns {
        unsafe output.memory[3 * columns * line + index] = UInt8((sums[index] + count / 2) / count)
      }
    }
    return .picture(width: UInt16(columns), height: UInt16(lines))
  }
}

/// Rows of a decoded picture in any pixel format, as red, green and blue of 0…255.
@safe private struct PictureRows: ~Copyable {
  // Safe: the frame outlives the value, which owns `values`: room for four components of `width` samples each.
  private let frame: UnsafeMutablePointer<AVFrame>
  private let pixels: UnsafePointer<AVPixFmtDescriptor>
  private let values: UnsafeMutablePointer<UInt16>
  private let width: Int
  private let hasPalette: Bool
  private let isRGB: Bool
  private let componentCount: Int
  private let alpha: Int?
  private let isLimited: Bool

  /// - Returns: nil if the pixel format is not supported.
  init?(_ frame: UnsafeMutablePointer<AVFrame>) {
    guard let pixels = unsafe ffmpeg_pixels(frame) else { return nil }
    unsafe self.frame = frame
    unsafe self.pixels = pixels
    width = Int(unsafe frame.pointee.width)
    unsafe values = Heap.array(UInt16.self, count: 4 * width)
    hasPalette = unsafe ffmpeg_has_palette(pixels) != 0
    isRGB = unsafe ffmpeg_is_rgb(pixels) != 0
    componentCount = hasPalette ? 1 : Int(unsafe pixels.pointee.nb_components)
    alpha = unsafe !hasPalette && ffmpeg_has_alpha(pixels) != 0 ? componentCount - 1 : nil
    isLimited = unsafe frame.pointee.color_range == AVCOL_RANGE_MPEG
  }

  deinit { unsafe av_free(values) }

  private var hasChroma: Bool { !isRGB && !hasPalette && componentCount >= 3 }
  private func isChroma(_ component: Int) -> Bool { hasChroma && (component == 1 || component == 2) }

  /// Reads a row, whose pixels ``color(at:)`` then returns.
  mutating func read(_ row: Int) {
    for component in 0..<componentCount {
      let isChroma = isChroma(component)
      let across = unsafe isChroma ? Int(pixels.pointee.log2_chroma_w) : 0
      let down = unsafe isChroma ? Int(pixels.pointee.log2_chroma_h) : 0
      let count = (width + (1 << across) - 1) >> across
      unsafe ffmpeg_read_row(
        frame, pixels, Int32(component), Int32(row >> down), Int32(count), values + component * width)
    }
  }

  private func value(_ component: Int, _ column: Int) -> Int {
    let across = unsafe isChroma(component) ? Int(pixels.pointee.log2_chroma_w) : 0
    let value = unsafe Int(values[component * width + column >> across])
    let depth = unsafe Int(ffmpeg_depth(pixels, Int32(component)))
    return depth == 8 ? value : value * 255 / ((1 << depth) - 1)
  }

  func color(at column: Int) -> (red: Int, green: Int, blue: Int) {
    var color: (red: Int, green: Int, blue: Int)
    if hasPalette {
      let packed = unsafe Int(ffmpeg_palette_color(frame, Int32(values[column])))
      let opacity = packed >> 24
      return ((packed >> 16 & 255) * opacity / 255, (packed >> 8 & 255) * opacity / 255, (packed & 255) * opacity / 255)
    } else if isRGB {
      color = (value(0, column), value(1, column), value(2, column))
    } else if componentCount >= 3 {
      color = converted(value(0, column), value(1, column) - 128, value(2, column) - 128)
    } else {
      let gray = value(0, column)
      color = (gray, gray, gray)
    }
    guard let alpha else { return color }
    // Blended over black, the display's background.
    let opacity = value(alpha, column)
    return (color.red * opacity / 255, color.green * opacity / 255, color.blue * opacity / 255)
  }

  /// Conversion by ITU-R BT.601, in steps of 1/1024.
  private func converted(_ luma: Int, _ blue: Int, _ red: Int) -> (red: Int, green: Int, blue: Int) {
    func bounded(_ value: Int) -> Int { min(255, max(0, value >> 10)) }
    let light = isLimited ? (luma - 16) * 1192 : luma * 1024
    let gain = isLimited ? 1166 : 1024
    return (
      bounded(light + red * 1436 / 1024 * gain), bounded(light - (blue * 352 + red * 731) / 1024 * gain),
      bounded(light + blue * 1815 / 1024 * gain)
    )
  }
}
