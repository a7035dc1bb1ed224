import CSandbox
import Decoding

/// How the process shuts itself in: first what it inherited, then, once it has all it will ever need, the system itself.
enum Sandbox {
  /// Beyond the 190 MB of addresses that the libraries have when they are loaded. Ordinary files take 2 MB, six hours of
  /// AAC in one file 60 MB for their index, a day 200 MB.
  private static let memoryByteCount = 256 << 20
  /// Its own two, the standard streams, and the files that it is sent.
  private static let descriptorCount: UInt32 = 64
  /// An order takes a fraction of it, and the recorder loses patience long before.
  private static let secondsPerOrder: UInt32 = 10

  /// To be called before anything else, and before a thread is started: closes every descriptor but the invocation's,
  /// gives up all rights, and takes limits upon itself.
  /// - Returns: false when the system refuses one of these, or the recorder is gone: the process is to end then.
  static func enter(_ invocation: DecoderInvocation) -> Bool {
    guard sandbox_close_all_but(invocation.socket, invocation.ring ?? -1) == 0 else { return false }
    guard sandbox_limit(memoryByteCount, descriptorCount) == 0 else { return false }
    // A change of user takes this back, so it comes behind.
    guard sandbox_drop_rights() == 0, sandbox_die_with_parent(invocation.socket) == 0 else { return false }
    return renewTime()
  }

  /// To be called once all threads run and all memory that is shared is mapped, before the first order is taken: from
  /// here on nothing can be opened, started, signalled or connected to.
  /// - Returns: false when the system refuses: the process is to end then. On a system without such filters, as an
  ///   emulator is, it goes on with what ``enter(_:)`` did.
  static func shut() -> Bool { sandbox_shut() >= 0 }

  /// To be called before each order is followed.
  /// - Returns: false when the system refuses.
  @discardableResult
  static func renewTime() -> Bool { sandbox_renew_time(secondsPerOrder) == 0 }
}
