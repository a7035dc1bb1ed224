/// What a search has found so far, each server once.
package struct FoundServers: ~Copyable {
  private var servers = InlineArray<32, FoundServer?>(repeating: nil)
  /// At most ``SearchLimits/servers``.
  package private(set) var count = 0
  /// Whether every server that was found is among them.
  package private(set) var isComplete = true

  /// None.
  package init() { precondition(servers.count == SearchLimits.servers) }

  /// Adds a server, or a better address of one that is there: everybody has addresses of version 4.
  package mutating func add(_ server: FoundServer) {
    for index in 0..<count {
      guard let known = servers[index], known.isSame(as: server) else { continue }
      if known.isVersion6 { servers[index] = server }
      return
    }
    guard count < servers.count else { return noteMore() }
    servers[count] = server
    count += 1
  }

  /// There is one that is not among them.
  package mutating func noteMore() { isComplete = false }

  /// In the order in which they were found, from 0 on.
  package subscript(index: Int) -> FoundServer {
    guard let server = servers[index] else { preconditionFailure("a server that was not found") }
    return server
  }
}
