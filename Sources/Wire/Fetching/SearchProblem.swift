/// Why nobody can say which servers the network has.
package enum SearchProblem: UInt8, Error, BitwiseCopyable, Equatable, Sendable {
  /// The recorder has no network, and knows no service that has one.
  case notConfigured
  /// The fetching service is not where it should be.
  case noService
  /// The fetching service ended.
  case serviceEnded
  /// The fetching service has not answered for too long.
  case unanswered
  /// Avahi does not run, or may not be asked.
  case noAvahi
  /// Anything else.
  case failed

  /// What is wrong, and what a person can do.
  package var line: StaticString {
    switch self {
    case .notConfigured: "nothing can be found: set [stream] socket, and enable fieldcorder-fetch.socket"
    case .noService: "fieldcorder-fetch cannot be reached: enable fieldcorder-fetch.socket, or check [stream] socket"
    case .serviceEnded: "fieldcorder-fetch has ended its search: try again"
    case .unanswered: "fieldcorder-fetch does not answer: restart fieldcorder-fetch"
    case .noAvahi: "Avahi cannot be reached: install avahi-daemon, and start it"
    case .failed: "fieldcorder-fetch cannot search: see its log"
    }
  }
}
