import CSandbox
import Wire

/// The process's sandbox: first it drops what it inherited, then, once it has all it needs, access to the system.
enum Sandbox {
  /// Beyond the 190 MB of address space of the loaded libraries. Ordinary files take 2 MB, the index of six hours of AAC
  /// in one file 60 MB, of a day 200 MB.
  private static let memoryByteCount = 256 << 20
  /// Its own two, the standard streams, and the files that it is sent.
  private static let descriptorCount: UInt32 = 64
  /// An order takes a fraction of it, and the recorder times out long before.
  private static let secondsPerOrder: UInt32 = 10

  /// To be called first, before a thread is started: closes all descriptors but the invocation's, drops all rights, and
  /// sets limits.
  /// - Returns: false when the system refuses one of these, or the recorder is gone: the process must end then.
  static func enter(_ invocation: DecoderInvocation) -> Bool {
    guard sandbox_close_all_but(invocation.socket, invocation.ring ?? -1) == 0 else { return false }
    guard sandbox_limit(memoryByteCount, descriptorCount) == 0 else { return false }
    // A change of user resets this, so it comes after.
    guard sandbox_drop_rights() == 0, sandbox_die_with_parent(invocation.socket) == 0 else { return false }
    return renewTime()
  }

  /// To be called once all threads run and all shared memory is mapped, before the first order: from here on nothing can
  /// be opened, started, signalled or connected to.
  /// - Returns: false when the system refuses: the process must end then. A system without such filters, like an
  ///   emulator, keeps what ``enter(_:)`` did.
  static func shut() -> Bool { sandbox_shut() >= 0 }

  /// To be called before each order is followed.
  /// - Returns: false when the system refuses.
  @discardableResult
  static func renewTime() -> Bool { sandbox_renew_time(secondsPerOrder) == 0 }
}
