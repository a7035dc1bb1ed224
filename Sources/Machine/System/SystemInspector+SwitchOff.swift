import Base

extension SystemInspector {
  /// Has systemd switch the machine off, if polkit allows it: `systemctl` then returns at once.
  /// - Parameter program: searched for in the usual folders unless it is a path.
  @export(interface)
  package func switchOff(by program: FixedText<128> = "systemctl") throws(DeviceFailure) {
    guard var process = Self.start("exec \(program) --no-ask-password poweroff >&3 2>&3") else {
      throw Self.refusal("cannot be reached", "raise TasksMax and LimitNPROC in the service")
    }
    guard SystemTimeService.listen(to: process, nanoseconds: 8_000_000_000) != nil else {
      throw Self.refusal("does not answer", "it is tried again")
    }
    guard case .exit(0) = process.end() else {
      throw Self.refusal(
        "does not switch the machine off", "install 50-fieldcorder.rules for polkit, or set [power] finish = stop")
    }
  }

  private static func refusal(_ problem: StaticString, _ remedy: StaticString) -> DeviceFailure {
    DeviceFailure(device: .battery, kind: .failed, subject: "systemctl", problem: problem, remedy: remedy)
  }

  /// As ``Inspector/sleep(_:)``, through the script for the board.
  /// - Parameter folder: of the scripts.
  @export(interface)
  package func sleep(
    _ order: SleepOrder, scripts folder: FixedText<128> = "/usr/lib/fieldcorder/sleep"
  ) throws(DeviceFailure) {
    guard
      var process = Self.start("exec \(folder)/sleep \(order.board) \(order.depth.word) \(order.unixSeconds) >&3 2>&3")
    else { throw .sleep("", "cannot start the script for sleeping") }
    let said = SystemTimeService.listen(to: process, nanoseconds: order.patienceSeconds * 1_000_000_000)
    guard let said else { throw .sleep("\(order.board)", "has a script for sleeping that does not end") }
    guard case .exit(0) = process.end() else {
      throw .sleep("\"\(said.printable)\"", "is why the machine does not sleep")
    }
  }

  private static func start(_ line: FixedText<256>) -> ChildProcess? {
    var words = ProgramWords()
    words.append("sh" as FixedText<256>)
    words.append("-c" as FixedText<256>)
    words.append(line)
    return ChildProcess("/bin/sh", &words, inherits: -1)
  }
}
