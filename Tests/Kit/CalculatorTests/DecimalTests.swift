import Base
import Foundation
import TestSupport
import Testing

@testable import Kit

@Suite struct DecimalTests {
  @Test("Random expressions have the results that Python's decimal has", arguments: Cases.some(1, of: 1...4))
  func equalsPython(seed: Int) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("decimal_expressions.py").path
    let lines = try ForeignProgram.text("python3", [script, "\(seed)", "25000"]).split(separator: "\n")
    #expect(lines.count == 25_000)
    var failures: [String] = []
    for line in lines {
      let parts = line.split(separator: "\t").map(String.init)
      let result = Self.result(of: parts[0])
      if result != parts[1] { failures.append("\(parts[0]): \(result) and not \(parts[1])") }
    }
    #expect(failures.isEmpty, "\(failures.count), such as \(failures.prefix(3))")
  }

  /// The result in the script's notation.
  private static func result(of expression: String) -> String {
    do throws(CalculationError) {
      return String(try Calculation(Array(expression.utf8).span).result.value.exactText)
    } catch {
      switch error.problem {
      case .divisionByZero: return "division by zero"
      case .overflow: return "overflow"
      default: return String(error.line)
      }
    }
  }
}
