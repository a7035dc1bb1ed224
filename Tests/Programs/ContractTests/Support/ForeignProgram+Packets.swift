import CFFmpeg
import Foundation
import TestSupport

/// A packet of a file, as libavformat lists it.
private struct Packet {
  var startSeconds: Double
  var durationSeconds: Double
  /// Its byte range in the file.
  var bytes: Range<Int>
}

extension ForeignProgram {
  /// Every packet of a stream; needed because no header lists the content of a growing file.
  ///
  /// Uses FFmpeg's library: hundreds of files are examined, and ffprobe takes longer to start than to examine one.
  private static func packets(_ path: String, _ kind: AVMediaType) throws -> [Packet] {
    ffmpeg_silence()
    var context: UnsafeMutablePointer<AVFormatContext>?
    var packet = unsafe av_packet_alloc()
    defer {
      unsafe avformat_close_input(&context)
      unsafe av_packet_free(&packet)
    }
    guard unsafe avformat_open_input(&context, path, nil, nil) == 0,
      unsafe avformat_find_stream_info(context, nil) >= 0,
      case let index = unsafe av_find_best_stream(context, kind, -1, -1, nil, 0), index >= 0,
      let base = unsafe context?.pointee.streams[Int(index)]?.pointee.time_base
    else { throw Failure(description: "libavformat does not open \(path)") }
    let second = Double(base.den) / Double(base.num)
    var packets: [Packet] = []
    while unsafe av_read_frame(context, packet) == 0, let one = unsafe packet?.pointee {
      if unsafe one.stream_index == index, unsafe one.pts != ffmpeg_no_timestamp() {
        let start = unsafe Int(one.pos)
        let range = unsafe start..<start + Int(one.size)
        packets.append(
          unsafe Packet(
            startSeconds: Double(one.pts) / second, durationSeconds: Double(one.duration) / second, bytes: range))
      }
      unsafe av_packet_unref(packet)
    }
    return packets
  }

  /// The bytes of every picture in a file.
  static func pictures(_ path: String) throws -> [[UInt8]] {
    let file = try Data(contentsOf: URL(fileURLWithPath: path))
    return try packets(path, AVMEDIA_TYPE_VIDEO).map { [UInt8](file[$0.bytes]) }
  }

  /// When each picture of a file is shown.
  static func pictureSeconds(_ path: String) throws -> [Double] {
    try packets(path, AVMEDIA_TYPE_VIDEO).map(\.startSeconds)
  }

  /// How much sound a file holds, whether it was completed or not.
  static func soundSeconds(_ path: String) throws -> Double {
    try packets(path, AVMEDIA_TYPE_AUDIO).last.map { $0.startSeconds + $0.durationSeconds } ?? 0
  }
}
