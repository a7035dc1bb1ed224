import Base

/// What a server asks of a client ("Server Settings").
package struct ServerSettings: BitwiseCopyable, Equatable, Sendable {
  /// From a chunk's time to its playing, 0…10⁶ ms.
  package var bufferMilliseconds: Int64 = 1000
  /// What the client's speaker is late by anyway, -10⁶…10⁶ ms.
  package var latencyMilliseconds: Int64 = 0
  /// In percent, 0…100.
  package var volume: Int64 = 100
  /// Whether nothing is to be heard.
  package var isMuted = false

  /// - Parameter bufferMilliseconds: from a chunk's time to its playing.
  package init(bufferMilliseconds: Int64) { self.bufferMilliseconds = bufferMilliseconds }

  /// - Returns: nil when `json` is no object, or a member is of the wrong type or out of its range.
  init?(json: Span<UInt8>) {
    do throws(MalformedText) {
      var members = try JSONMembers(json)
      while let member = try members.next() {
        let name = json.extracting(member.name)
        if name.equals("bufferMs") { bufferMilliseconds = try json.integer(member.value) }
        if name.equals("latency") { latencyMilliseconds = try json.integer(member.value) }
        if name.equals("volume") { volume = try json.integer(member.value) }
        if name.equals("muted") { isMuted = try json.flag(member.value) }
      }
    } catch {
      return nil
    }
    guard bufferMilliseconds >= 0, bufferMilliseconds <= 1_000_000, latencyMilliseconds >= -1_000_000,
      latencyMilliseconds <= 1_000_000, volume >= 0, volume <= 100
    else { return nil }
  }

  /// From a chunk's time to the moment at which the client's speaker is to get it.
  package var delayNanoseconds: Int64 { max(0, bufferMilliseconds - latencyMilliseconds) * 1_000_000 }

  var json: FixedText<512> {
    var json = JSONWriter<512>()
    json.add("bufferMs", bufferMilliseconds)
    json.add("latency", latencyMilliseconds)
    json.add("muted", isMuted)
    json.add("volume", volume)
    json.endObject()
    return json.text
  }
}
