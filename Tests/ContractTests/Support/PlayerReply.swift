import Foundation

/// What `player` on the console tells of the open file.
struct PlayerReply {
  let durationSeconds: Double?
  let frames: Int?
  let largestPacketBytes: Int?
  let bufferBytes: Int?
  let packetsPerRead: Int?
  let nextPacket: Int?
  let packetsVary: Bool?

  init(_ reply: Listening.Reply) {
    let text = reply.lines.joined(separator: "\n")
    durationSeconds = Self.number(before: "s", or: "duration", text)
    frames = Self.number("frames", text).map { Int($0) }
    largestPacketBytes = Self.number("largest packet", text).map { Int($0) }
    bufferBytes = Self.number("buffer", text).map { Int($0) }
    packetsPerRead = Self.number("packets a read", text).map { Int($0) }
    nextPacket = Self.number("next packet", text).map { Int($0) }
    packetsVary = text.contains("packets vary") ? true : text.contains("packets") ? false : nil
  }

  private static func number(before unit: String, or name: String, _ text: String) -> Double? { number(name, text) }

  /// The number behind a word.
  private static func number(_ name: String, _ text: String) -> Double? {
    guard let range = text.range(of: name) else { return nil }
    let digits = text[range.upperBound...].drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }
    return Double(digits)
  }
}
