import Base

/// How many pictures are encoded at the same time.
package struct EncoderCount: Equatable {
  /// When the camera's pictures have to be encoded.
  package enum Need: Sendable {
    case always
    /// The camera encodes; its pictures are encoded again only while zoomed by the recorder.
    case whileZoomed
    case never
  }

  /// 1…``EncoderPool/maximumCount``.
  package let count: Int
  /// When the encoders are needed.
  package let need: Need

  /// - Parameters:
  ///   - wanted: the configured number; nil for a number that suits the machine.
  ///   - processorCount: how many threads can run at the same time. The loop and the storage worker need one.
  ///   - video: the camera's format; nil without a camera.
  ///   - cameraZooms: whether the camera zooms by itself.
  ///   - isCodedByMachine: whether the machine has an encoder for the pictures; its substitute takes one processor.
  package init(
    wanted: UInt8?, processorCount: Int, video: VideoFormat?, cameraZooms: Bool, isCodedByMachine: Bool = false
  ) {
    need =
      switch video?.pixelFormat {
      case nil: .never
      case _ where isCodedByMachine: .never
      case .mjpeg: cameraZooms ? .never : .whileZoomed
      default: .always
      }
    let spare = min(max(processorCount - 1, 1), EncoderPool.maximumCount)
    count = need == .never ? 1 : wanted.map { Int($0) } ?? spare
  }

  /// For the boot message; nil where there is nothing to report.
  package var line: FixedText<64>? {
    guard need != .never else { return nil }
    let processors: StaticString = count == 1 ? "processor" : "processors"
    let occasion: StaticString = need == .always ? "" : " while zoomed"
    return "encoding on \(count) \(processors)\(occasion)"
  }
}
