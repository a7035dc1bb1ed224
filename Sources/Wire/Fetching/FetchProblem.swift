/// Why a stream does not come.
package enum FetchProblem: UInt8, Error, BitwiseCopyable, Equatable, Sendable {
  /// No address of http or https.
  case badAddress
  /// The name service knows no such host, or cannot be asked.
  case unknownHost
  /// Nobody answers there.
  case unreachable
  /// It leads to an address of this machine or of the local network that the user did not name.
  case forbiddenPlace
  /// It leads to something other than http or https.
  case forbiddenScheme
  /// It leads on more often than is followed.
  case tooManyRedirects
  /// The server has no such stream.
  case notThere
  /// The server wants a name and a password, or gives it to others only.
  case denied
  /// The server answered with another status than success.
  case refused
  /// The server cannot show who it is.
  case untrusted
  /// What came is no answer in HTTP, or has more headers than are read.
  case malformed
  /// A playlist without a stream.
  case noStream
  /// Nothing came for too long.
  case stalled
  /// The server ended it.
  case brokenOff
  /// What answers does not speak Snapcast's protocol.
  case noSnapcast
  /// The sound has another form than can be kept in sync, or than it had at first.
  case otherSound
  /// The server buffers too little for the way through decoder and sound card.
  case tooLittleDelay
  /// The fetching service ended.
  case serviceEnded
  /// Anything else.
  case failed

  /// What is wrong, as the predicate of a sentence whose subject is the stream.
  package var problem: StaticString {
    switch self {
    case .badAddress: "has no http or https address"
    case .unknownHost: "has an unknown host"
    case .unreachable: "cannot be reached"
    case .forbiddenPlace: "leads to a private address that was not given"
    case .forbiddenScheme: "leads to something other than http or https"
    case .tooManyRedirects: "is redirected too often"
    case .notThere: "was not found on its server"
    case .denied: "is denied by its server"
    case .refused: "is refused by its server"
    case .untrusted: "has a server that cannot be trusted"
    case .malformed: "has a server that does not speak HTTP"
    case .noStream: "is a playlist without a stream"
    case .stalled: "has stalled"
    case .brokenOff: "was cut off"
    case .noSnapcast: "has a server that does not speak Snapcast's protocol"
    case .otherSound: "sends sound other than 16-bit PCM, or changed its format"
    case .tooLittleDelay: "has a server that buffers less than 0.3 s"
    case .serviceEnded: "has lost its service"
    case .failed: "cannot be fetched"
    }
  }

  /// What a person can do.
  package var remedy: StaticString {
    switch self {
    case .badAddress, .notThere, .noStream, .tooManyRedirects, .forbiddenScheme, .malformed, .noSnapcast:
      "check its address"
    case .unknownHost, .unreachable, .stalled, .brokenOff, .failed: "check the address and the network"
    case .forbiddenPlace: "use that address directly if it is meant"
    case .denied, .refused: "ask whoever runs the server"
    case .untrusted: "check the clock, and install ca-certificates"
    case .otherSound: "set the server's codec to pcm, or listen again"
    case .tooLittleDelay: "set the server's buffer to 300 ms or more"
    case .serviceEnded: "the next stream starts it again"
    }
  }
}
