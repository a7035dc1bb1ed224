import Foundation
import TestSupport

/// ffprobe's report on a file.
struct Probe: Decodable {
  struct Stream: Decodable {
    struct SideData: Decodable {
      var rotation: Int?
    }

    var codecName: String?
    var codecType: String
    var width: Int?
    var height: Int?
    var sampleRate: String?
    var channels: Int?
    var timeBase: String
    var startPts: Int?
    var durationTs: Int?
    var nbFrames: String?
    var nbReadPackets: String?
    var sideDataList: [SideData]?
    var tags: [String: String]?
  }

  struct Format: Decodable {
    var formatName: String
    var duration: String?
    var tags: [String: String]?
  }

  struct Packet: Decodable {
    var codecType: String
    var pts: Int
    var duration: Int?
    var size: String
  }

  var streams: [Stream]
  var format: Format
  var packets: [Packet]?

  init(path: String, showPackets: Bool = false) throws {
    var arguments = ["-v", "error", "-of", "json", "-show_format", "-show_streams", "-count_packets"]
    if showPackets { arguments.append("-show_packets") }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(Probe.self, from: Data(ForeignProgram.run("ffprobe", arguments + [path])))
  }

  var video: Stream? { streams.first { $0.codecType == "video" } }
  var audio: Stream? { streams.first { $0.codecType == "audio" } }
}

/// mediainfo's report on a file: its tracks by type, each a list of fields.
func mediaInfo(_ path: String) throws -> [String: [String: String]] {
  struct Report: Decodable {
    struct Media: Decodable {
      var track: [[String: Field]]
    }
    var media: Media
  }
  let data = try ForeignProgram.run("mediainfo", ["--Output=JSON", path])
  let report = try JSONDecoder().decode(Report.self, from: Data(data))
  let tracks = report.media.track.map { $0.compactMapValues(\.text) }
  return Dictionary(tracks.map { ($0["@type"] ?? "", $0) }) { first, _ in first }
}

/// A field is a text, or, if labelled `extra`, a list of fields.
private struct Field: Decodable {
  let text: String?

  init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
}
