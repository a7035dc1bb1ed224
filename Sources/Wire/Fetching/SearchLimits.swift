/// Every bound of a search for servers.
package enum SearchLimits {
  /// How long may be searched: Avahi has most answers within a second (RFC 6762, section 6), and a slow radio needs some
  /// more tries. Nobody waits longer than a minute.
  package static var seconds: ClosedRange<UInt8> { 1...60 }

  /// How long is searched where nobody says for how long.
  package static var usualSeconds: UInt8 { 3 }

  /// The most servers that are listed: four times as many as a house has rooms. They fill more than a screen of 24 rows.
  package static var servers: Int { 32 }

  /// Names that Avahi is asked about at the same time: each server that is listed may be found by two protocols on two
  /// networks. The daemon refuses more than 1,024 for each client (`objects-per-client-max`).
  package static var questions: Int { 4 * servers }

  /// Longer than the longest search until the process ends that searches: a call of D-Bus waits 25 s at most.
  package static var processSeconds: UInt32 { 120 }
}
