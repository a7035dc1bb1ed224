import Port

/// A console at which a test types, and that keeps all that is said.
struct ScriptedLine: ConsoleLine, ~Copyable {
  let world: TestWorld
  var isTerminal: Bool { world.isTerminal }

  mutating func read(into room: inout MutableRawSpan) -> Int? {
    let count = min(world.typed.count, room.byteCount)
    for index in 0..<count { room.storeBytes(of: world.typed[index], toByteOffset: index, as: UInt8.self) }
    world.typed.removeFirst(count)
    return count
  }

  mutating func write(_ bytes: RawSpan) -> Int {
    let count = min(bytes.byteCount, world.lineRoomByteCount)
    world.lineRoomByteCount -= count
    world.say(unsafe bytes.withUnsafeBytes { unsafe Array($0.prefix(count)) })
    return count
  }
}
