import Base

/// The name of a deployment.
package typealias DeploymentName = FixedText<32>

/// What `deploy` does.
package enum DeployCommand: Equatable, Sendable {
  /// Tells what the deployment has recorded so far.
  case show(StatusForm)
  case begin(DeploymentName, note: FixedText<96>)
  case end
  /// Lists the days, or draws them as a page of HTML.
  case report(isPage: Bool)
  /// Tells what would spoil a deployment of so many days.
  case check(days: UInt16, StatusForm)
}

/// The progress of `deploy report` and `deploy check`.
package enum DeployTask: BitwiseCopyable, Sendable {
  /// From an offset in the rows on.
  case report(from: Int)
  /// The plot with this number, from this day on, whose row is at an offset.
  case plot(UInt8, day: Int, from: Int)
  /// So many days are calculated, in which the rules want so many seconds.
  case check(done: UInt16, of: UInt16, seconds: Int64, StatusForm)
}

extension CommandTable {
  static func visitDeploy(_ visit: CommandVisitor) {
    visit(
      "deploy", .record, "[json|NAME|report|check]", "leave the recorder alone",
      """
      NAME begins a deployment, with a note after it, and end ends it; without a word, what it has recorded and missed \
      so far; report lists the days, and report html draws them as a page; check tells what would spoil the next \
      42 days, or N up to 400.
      """,
      Examples("deploy check 30", "deploy NorthRidge under the oak"), Command.parseDeploy)
  }
}

extension Command {
  static func parseDeploy(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .deploy(.show(.lines)) }
    if word.equals("json") { return .deploy(.show(.json)) }
    if word.equals("end") { return .deploy(.end) }
    if word.equals("report") {
      guard let form = arguments.next() else { return .deploy(.report(isPage: false)) }
      guard form.equals("html") else { throw wrong(form, "deploy report", "html or nothing") }
      return .deploy(.report(isPage: true))
    }
    if word.equals("check") { return try parseCheck(&arguments) }
    let name: DeploymentName = try entered(word, "deploy", "a name")
    guard let words = arguments.takeRest() else { return .deploy(.begin(name, note: "")) }
    return .deploy(.begin(name, note: try entered(words.withoutQuotes(), "deploy", "a note")))
  }

  private static func parseCheck(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .deploy(.check(days: 42, .lines)) }
    if word.equals("json") { return .deploy(.check(days: 42, .json)) }
    guard let days = word.parseInteger(as: UInt16.self), (1...400).contains(days) else {
      throw wrong(word, "deploy check", "1…400 (days), json or nothing")
    }
    return .deploy(.check(days: days, try form(&arguments, of: "deploy")))
  }
}
