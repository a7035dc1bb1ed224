import Board

/// A console at which a test types, and that keeps all that is said.
struct ScriptedLine: ConsoleLine, ~Copyable {
  let world: TestWorld
  var isTerminal: Bool { false }

  mutating func read(into room: inout MutableRawSpan) -> Int? {
    let count = min(world.typed.count, room.byteCount)
    for index in 0..<count { room.storeBytes(of: world.typed[index], toByteOffset: index, as: UInt8.self) }
    world.typed.removeFirst(count)
    return count
  }

  mutating func write(_ bytes: RawSpan) -> Int {
    world.say(unsafe bytes.withUnsafeBytes { unsafe Array($0) })
    return bytes.byteCount
  }
}
