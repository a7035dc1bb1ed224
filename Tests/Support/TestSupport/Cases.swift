import Foundation

/// `make check` tests a property with all of its cases, `make test` with some of them.
package enum Cases {
  /// Whether all cases are tested.
  private static let areAll = ProcessInfo.processInfo.environment["FIELDCORDER_CHECK"]?.isEmpty == false

  /// How many cases are tested.
  /// - Parameters:
  ///   - quick: the number in `make test`.
  ///   - all: the number in `make check`.
  package static func count(_ quick: Int, of all: Int) -> Int { areAll ? all : quick }

  /// The cases that are tested: in `make test` `quick` of them, evenly spread.
  package static func some<Case>(_ quick: Int, of all: some Collection<Case>) -> [Case] {
    let all = Array(all)
    guard !areAll, all.count > quick else { return all }
    return (0..<quick).map { all[$0 * all.count / quick] }
  }
}
