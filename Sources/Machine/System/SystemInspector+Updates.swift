import Base
import CLinux

/// The installer runs as root, and the recorder does not: a request is a file in the recorder's folder, which the
/// service manager watches for, and a report is a file in the installer's.
extension SystemInspector {
  /// As ``Inspector/update(_:)``.
  @export(interface)
  package func update(_ order: UpdateOrder) throws(DeviceFailure) -> UpdateReport {
    guard let updates else { return UpdateReport() }
    let request: FixedText<128> = "\(updates.requests)/update-request"
    let report = Self.report(updates, request)
    guard case .begin(let file, let allowsOlder) = order else { return report }
    guard !report.isBusy else { return UpdateReport(.refused, .busy) }
    try Self.put("\(file)\n\(allowsOlder ? "allow" : "newer" as StaticString)\n", at: request)
    var asked = report
    asked.state = .asked
    return asked
  }

  /// A request is removed once the installer has said that it checks it.
  private static func report(_ updates: UpdateFolders, _ request: FixedText<128>) -> UpdateReport {
    let isAsked = unsafe request.withCString { unsafe access($0, F_OK) } == 0
    var report = UpdateReport(.none)
    var line = FixedText<512>()
    forEachLine(of: "\(updates.reports)/update") {
      line = FixedText($0)
      return false
    }
    if let told = UpdateReport(line: line.bytes) { report = told }
    if isAsked { report.state = .asked }
    return report
  }

  /// Writes a file that appears whole or not at all to whoever looks for it. It is not meant to survive a power cut.
  private static func put(_ text: FixedText<300>, at path: FixedText<128>) throws(DeviceFailure) {
    let unfinished: FixedText<128> = "\(path).new"
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
    guard let file = FileDescriptor(path: unfinished, flags: flags, mode: 0o644) else {
      throw storageFailure(unfinished, "cannot be created")
    }
    // Safe: the kernel reads the text's own bytes.
    let count = unsafe text.withCString { bytes in
      retryingWhenInterrupted { unsafe write(file.number, bytes, text.byteCount) }
    }
    let isMoved =
      unsafe unfinished.withCString { from in unsafe path.withCString { to in unsafe rename(from, to) } } == 0
    guard count == text.byteCount, isMoved else { throw storageFailure(path, "cannot be created") }
  }
}

/// The folders of requests and reports, which the image's service names; nil on any other machine.
package func updateFolders() -> UpdateFolders? {
  guard let requests = environmentFolder("RUNTIME_DIRECTORY"), let reports = environmentFolder("FIELDCORDER_IMAGE"),
    requests.byteCount <= 96, reports.byteCount <= 96
  else { return nil }
  return UpdateFolders(requests: FixedText(requests.bytes), reports: FixedText(reports.bytes))
}
