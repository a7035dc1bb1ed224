import Foundation

/// A line of `status json`: decoding it proves that every key of the contract is present with a value of its type.
struct RecorderStatus: Decodable {
  struct Player: Decodable {
    var state: String
    var file: String?
    var positionSeconds: Double
    var durationSeconds: Double
    var volume: Double
  }

  struct Loop: Decodable {
    var ticks: UInt64
    var missed: UInt64
    var wakeP50Us: UInt64
    var wakeP999Us: UInt64
    var workP999Us: UInt64
  }

  struct KeyMissing: Error {
    var key: String
  }

  var state: String
  var take: String?
  var bytes: UInt64
  var seconds: Double
  var audioFrames: UInt64
  var videoFrames: UInt64
  var droppedVideoFrames: UInt64
  var audioOverruns: UInt64
  var prerollSeconds: Double
  var orientation: String
  var zoom: Double
  var player: Player
  var diskFreeBytes: UInt64
  var loop: Loop
  var heapAllocationsSinceBootComplete: UInt64
  var uuid: UUID
  var clock: String

  init(line: String) throws {
    let data = Data(line.utf8)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(RecorderStatus.self, from: data)
    // Keys with nullable values must be present too.
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    guard object?["take"] != nil else { throw KeyMissing(key: "take") }
    guard (object?["player"] as? [String: Any])?["file"] != nil else { throw KeyMissing(key: "player.file") }
  }
}
