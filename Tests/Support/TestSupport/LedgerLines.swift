import Foundation

/// The lines of the ledger in a finished file, found by their text; empty if there is none.
package func ledgerLines(_ content: [UInt8]) -> [String] {
  let data = Data(content)
  guard let ending = data.range(of: Data("\nended: ".utf8), options: .backwards),
    let start = data.range(of: Data("device ".utf8), options: .backwards, in: 0..<ending.lowerBound)
  else { return [] }
  let reason = data[ending.upperBound...].prefix { $0 != UInt8(ascii: "\n") }
  return String(decoding: data[start.lowerBound..<reason.endIndex], as: UTF8.self).split(separator: "\n")
    .filter { !$0.hasPrefix("seal ") }.map(String.init)
}
