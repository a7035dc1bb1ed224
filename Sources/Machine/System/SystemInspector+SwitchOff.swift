import Base

extension SystemInspector {
  /// Has systemd switch the machine off, if polkit allows it: `systemctl` then returns at once.
  /// - Parameter program: searched for in the usual folders unless it is a path.
  @export(interface)
  package func switchOff(by program: FixedText<128> = "systemctl") throws(DeviceFailure) {
    var words = ProgramWords()
    words.append("sh" as FixedText<256>)
    words.append("-c" as FixedText<256>)
    words.append("exec \(program) --no-ask-password poweroff >&3 2>&3" as FixedText<256>)
    guard var process = ChildProcess("/bin/sh", &words, inherits: -1) else {
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
}
