import Synchronization

/// A member that stops the compiler from copying a large structure. To read one property, the compiler may load the
/// whole structure onto the stack; a structure that holds an atomic has an address, and is read in place
/// (`docs/decisions/0005-embedded-swift-pitfalls.md`).
package struct StaysInPlace: ~Copyable, Sendable {
  private let address = Atomic<UInt8>(0)

  package init() {}
}
