import Foundation

/// `make check` tries each property with all of its cases, `make test` with the first of them.
package enum Cases {
  /// Whether all are tried.
  package static let isFull = ProcessInfo.processInfo.environment["FIELDCORDER_CHECK"] != nil

  /// The cases that are tried of so many.
  /// - Parameter quick: how many `make test` tries.
  package static func first<Seed: FixedWidthInteger & Sendable>(_ quick: Int, of all: Range<Seed>) -> [Seed] {
    Array(isFull ? all : all.prefix(quick))
  }

  /// A count that `make test` may do with less of.
  package static func count(_ quick: Int, of all: Int) -> Int { isFull ? all : quick }
}
