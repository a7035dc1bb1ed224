import Base
import Console
import Machine

extension Services {
  /// `threads`.
  mutating func listThreads(_ form: StatusForm, _ report: ProcessReport) {
    var writer = ListingWriter(form)
    writer.beginRows(
      "threads", "thread          state  policy      number priority  processor s    waited s", &console)
    for index in 0..<report.taskCount {
      guard let task = report[index] else { continue }
      writer.beginRow()
      writer.cell("name", text: task.name.bytes, columns: 16)
      var state = FixedText<64>()
      state.append(byte: task.state)
      writer.cell("state", text: state.bytes, columns: 7)
      writer.cell("policy", task.policy.map { .name($0.name) } ?? .none, columns: 10, console)
      writer.cell("id", .count(task.number), columns: 8, console)
      writer.cell("priority", .count(task.priority), columns: 9, console)
      let seconds = Double(task.processorMilliseconds) / 1e3
      writer.cell("processor_seconds", .decimal(seconds, decimals: 2), columns: 13, console)
      let waited = task.waitedMicroseconds.map { Double($0) / 1e6 }
      writer.cell("waited_seconds", waited.map { .decimal($0, decimals: 3) } ?? .none, columns: 12, console)
      if form == .json { writer.cell("process", .flag(task.isProcess), console) }
      writer.endRow(&console)
    }
    writer.endRows()
    writer.end(&console)
  }
}
