import Base
import CCurl
import CLinux
import Machine
import Wire

/// Fetches one stream into a pipe until it ends, or nobody wants it any more.
struct StreamFetcher: ~Copyable {
  /// RFC 9110, section 15.4, leaves the number to the client.
  private static var redirectLimit: Int { 5 }

  /// How a stream, or an attempt at one, ends.
  enum Ending {
    /// All of it came.
    case finished
    /// The recorder does not want it any more.
    case cut
    case failed(FetchProblem)
  }

  private let address: StreamAddress
  private var transfer: Transfer

  init(_ address: consuming StreamAddress, _ transfer: consuming Transfer) {
    self.address = address
    self.transfer = transfer
  }

  mutating func run() {
    var backOff = BackOff()
    while true {
      switch fetch() {
      case .cut: return
      case .finished: return transfer.tell(.finished)
      case .failed(let problem):
        if transfer.hasDelivered { backOff.renew() }
        guard transfer.hasEverDelivered, let milliseconds = backOff.next() else {
          return transfer.tell(.failed(problem))
        }
        transfer.tell(.reconnecting(milliseconds: milliseconds, problem))
        guard transfer.rest(milliseconds: milliseconds) else { return }
      }
    }
  }

  /// One attempt, from the address that was named on.
  private mutating func fetch() -> Ending {
    guard address.returnToNamed() else { return .failed(.badAddress) }
    var redirectCount = 0
    var entry = 0
    var isListed = false
    transfer.hasDelivered = false
    while true {
      var problem: FetchProblem?
      switch transfer.load(address) {
      case .ended(.failed(let reason)) where isListed && !transfer.hasDelivered: problem = reason
      case .ended(let ending): return ending
      case .redirect:
        redirectCount += 1
        guard redirectCount <= Self.redirectLimit else { return .failed(.tooManyRedirects) }
        problem = address.follow(transfer.head.location)
        if let problem, !isListed { return .failed(problem) }
      case .playlist:
        // A playlist of playlists leads nowhere soon.
        guard !isListed else { return .failed(.noStream) }
        isListed = true
        address.rememberPlaylist()
        problem = .noStream
      }
      while let reason = problem {
        guard let next = transfer.playlistEntry(entry) else { return .failed(reason) }
        entry += 1
        problem = address.follow(next, fromPlaylist: true)
      }
    }
  }
}
