import Foundation

/// The reply of `player` on the console.
struct PlayerReply {
  let durationSeconds: Double?
  let frames: Int?
  let largestPacketBytes: Int?
  let bufferBytes: Int?
  let packetsPerRead: Int?
  let nextPacket: Int?
  let emptyReads: Int?
  /// Nil if it is not in the reply.
  let packetsVary: Bool?

  init(_ reply: Listening.Reply) {
    func number(_ name: String) -> Double? {
      let line = reply.lines.first { $0.hasPrefix(name + " ") }
      return line.flatMap { Double($0.dropFirst(name.count + 1).prefix { $0 != " " }) }
    }
    durationSeconds = number("duration")
    frames = number("frames").map { Int($0) }
    largestPacketBytes = number("largest packet").map { Int($0) }
    bufferBytes = number("buffer").map { Int($0) }
    packetsPerRead = number("packets a read").map { Int($0) }
    nextPacket = number("next packet").map { Int($0) }
    emptyReads = number("empty reads").map { Int($0) }
    packetsVary =
      reply.lines.contains("packets vary") ? true : reply.lines.contains("packets do not vary") ? false : nil
  }
}
