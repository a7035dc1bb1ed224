import Synchronization

/// A member that keeps a large structure where it is. The compiler may load a structure, whole, onto the stack to read
/// one of its properties; one that holds an atomic has an address, and is read where it stands
/// (`docs/decisions/0005-embedded-swift-pitfalls.md`).
package struct StaysInPlace: ~Copyable, Sendable {
  private let address = Atomic<UInt8>(0)

  package init() {}
}
