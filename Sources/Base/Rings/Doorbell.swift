/// Wakes a sleeping thread when there is work. It holds a function and its context, so that a module can ring it
/// without an operating system underneath. Any thread may ring, and ringing never blocks.
@safe package struct Doorbell: BitwiseCopyable, @unchecked Sendable {
  // Safe: the creator of a doorbell promises that any thread may call the function with the context for as long as
  // copies of the doorbell exist.
  private let chime: @convention(c) (UnsafeMutableRawPointer?) -> Void
  private let context: UnsafeMutableRawPointer?

  /// Wakes nothing: for workers that share one thread and poll for work.
  package static var silent: Doorbell { unsafe Doorbell(context: nil) { _ in } }

  /// - Parameters:
  ///   - context: passed to `chime`.
  ///   - chime: may be called by any thread, for the life of the process.
  @unsafe package init(context: UnsafeMutableRawPointer?, chime: @convention(c) (UnsafeMutableRawPointer?) -> Void) {
    unsafe self.context = unsafe context
    unsafe self.chime = unsafe chime
  }

  /// Signals that there may be work.
  package func ring() { unsafe chime(context) }
}
