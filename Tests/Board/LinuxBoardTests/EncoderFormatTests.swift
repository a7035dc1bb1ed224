import CVideo4Linux
import Testing

@testable import Machine

@Suite struct EncoderFormatTests {
  private static func wanted(_ type: v4l2_buf_type, isFullRange: Bool) -> coder_format {
    var wanted = coder_format()
    wanted.type = type.rawValue
    wanted.code = video_format_nv12()
    wanted.width = 640
    wanted.height = 360
    wanted.bytes_per_row = 704
    wanted.byte_count = 704 * 360 * 3 / 2
    wanted.has_full_range = isFullRange ? 1 : 0
    return wanted
  }

  private static func quantization(isFullRange: Bool) -> v4l2_quantization {
    isFullRange ? V4L2_QUANTIZATION_FULL_RANGE : V4L2_QUANTIZATION_LIM_RANGE
  }

  @Test("With the older interface an encoder is given size, rows and range, and the flag by which the kernel uses them")
  func singlePlanar() {
    for isFullRange in [true, false] {
      let wanted = Self.wanted(V4L2_BUF_TYPE_VIDEO_OUTPUT, isFullRange: isFullRange)
      let picture = unsafe video_coder_request(wanted).fmt.pix
      #expect(picture.pixelformat == video_format_nv12() && picture.width == 640 && picture.height == 360)
      #expect(picture.bytesperline == 704 && picture.sizeimage == 704 * 540)
      #expect(picture.quantization == Self.quantization(isFullRange: isFullRange).rawValue)
      #expect(picture.priv == UInt32(V4L2_PIX_FMT_PRIV_MAGIC))
    }
  }

  @Test("With the newer interface it is given the same, with one plane")
  func multiPlanar() {
    for isFullRange in [true, false] {
      let wanted = Self.wanted(V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE, isFullRange: isFullRange)
      let picture = unsafe video_coder_request(wanted).fmt.pix_mp
      #expect(picture.pixelformat == video_format_nv12() && picture.width == 640 && picture.height == 360)
      #expect(picture.num_planes == 1)
      #expect(picture.plane_fmt.0.bytesperline == 704 && picture.plane_fmt.0.sizeimage == 704 * 540)
      #expect(UInt32(picture.quantization) == Self.quantization(isFullRange: isFullRange).rawValue)
    }
  }
}
