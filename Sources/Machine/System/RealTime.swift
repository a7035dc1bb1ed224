import Base
import CLinux

/// Bytes of stack that the loop and the workers may use without a page fault.
private let preFaultedStackPageCount = 32

/// Keeps every page of the process, now and later, in memory (`mlockall`), and touches the caller's stack.
package func lockAllMemory() throws(DeviceFailure) {
  guard mlockall(Int32(MCL_CURRENT | MCL_FUTURE)) == 0 else { throw lockingFailure(lastSystemError) }
  touchStack(pageCount: preFaultedStackPageCount)
}

/// Schedules the calling thread before all ordinary ones.
/// - Parameter priority: of `SCHED_FIFO`, 1…99.
package func enterRealTime(priority: Int32) throws(DeviceFailure) {
  var parameters = sched_param()
  parameters.sched_priority = priority
  let refused = unsafe pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
  guard refused == 0 else { throw schedulingFailure(priority, refused) }
}

func schedulingFailure(_ priority: Int32, _ systemErrorNumber: Int32) -> DeviceFailure {
  DeviceFailure(
    device: .scheduler, kind: systemErrorNumber == EPERM ? .noPermission : .failed,
    subject: "SCHED_FIFO \(priority)", problem: "is refused",
    remedy: "set LimitRTPRIO=99 in the service, or run as root",
    systemErrorNumber: systemErrorNumber)
}

func lockingFailure(_ systemErrorNumber: Int32) -> DeviceFailure {
  DeviceFailure(
    device: .memory, kind: systemErrorNumber == EPERM || systemErrorNumber == ENOMEM ? .noPermission : .failed,
    subject: "", problem: "cannot be locked", remedy: "set LimitMEMLOCK=infinity in the service, or run as root",
    systemErrorNumber: systemErrorNumber)
}

/// Touches a page of stack on each level, so that no later call faults one in.
@inline(never)
private func touchStack(pageCount: Int) {
  guard pageCount > 0 else { return }
  var page = InlineArray<512, UInt64>(repeating: 0)
  var span = page.mutableSpan
  // Sound: the bytes are the page's own; the call keeps the optimiser from removing the page.
  unsafe span.withUnsafeMutableBytes { unsafe explicit_bzero($0.baseAddress!, $0.count) }
  touchStack(pageCount: pageCount - 1)
}
