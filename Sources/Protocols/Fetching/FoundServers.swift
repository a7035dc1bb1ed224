/// What a search has found so far, each server once.
public struct FoundServers: ~Copyable {
  private var servers = InlineArray<32, FoundServer?>(repeating: nil)
  /// At most ``SearchLimits/servers``.
  public private(set) var count = 0
  /// Whether every server that was found is among them.
  public private(set) var isComplete = true

  /// None.
  public init() { precondition(servers.count == SearchLimits.servers) }

  /// Adds a server, or a better address of one that is there: everybody has addresses of version 4.
  public mutating func add(_ server: FoundServer) {
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
  public mutating func noteMore() { isComplete = false }

  /// In the order in which they were found, from 0 on.
  public subscript(index: Int) -> FoundServer {
    guard let server = servers[index] else { preconditionFailure("a server that was not found") }
    return server
  }
}
