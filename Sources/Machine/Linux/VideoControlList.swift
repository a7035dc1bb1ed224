import Base
import CVideo4Linux

/// The controls of a V4L2 device, through VIDIOC_QUERY_EXT_CTRL and VIDIOC_G/S_EXT_CTRLS.
extension VideoControls {
  /// Changes controls, then lists them all.
  func change(_ change: ControlChange) throws(VideoError) -> ControlList {
    if case .set(let identifier, let value) = change, !set(identifier, to: value) {
      throw VideoError("refuses this value")
    }
    var list = list
    guard case .reset = change else { return list }
    var refusedCount = 0
    for index in 0..<list.count {
      guard let control = list[index], control.lock != .readOnly else { continue }
      // A control without effect at present may refuse, or accept, a value.
      let isSet = set(control.identifier, to: min(max(control.usual, control.least), control.most))
      if !isSet, control.lock == .none { refusedCount += 1 }
    }
    list = self.list
    list.refusedCount = refusedCount
    return list
  }

  private func set(_ identifier: UInt32, to value: Int64) -> Bool {
    video_set_control_value(number, isEmulated ? 1 : 0, identifier, value) != -1
  }

  /// Every numeric control. The driver's answers are not trusted: no identifier is queried twice, and an invalid range
  /// is left out.
  private var list: ControlList {
    var list = ControlList()
    var identifier: UInt32 = 0
    for _ in 0..<CameraLimits.queriedControls {
      var query = video_control_query()
      query.identifier = identifier
      guard unsafe video_next_control(number, isEmulated ? 1 : 0, &query) != -1, query.identifier > identifier else {
        break
      }
      identifier = query.identifier
      if let control = control(query) { list.append(control) }
    }
    return list
  }

  private func control(_ query: video_control_query) -> DeviceControl? {
    guard query.is_number != 0, query.is_disabled == 0, query.least <= query.most else { return nil }
    var control = DeviceControl()
    control.identifier = query.identifier
    control.name = unsafe withUnsafeBytes(of: query.name) { unsafe FixedText(asWord: $0) }
    guard !control.name.isEmpty,
      unsafe video_get_control_value(number, isEmulated ? 1 : 0, query.identifier, query.is_long, &control.value) != -1
    else { return nil }
    control.usual = query.usual
    control.least = query.least
    control.most = query.most
    control.step = max(query.step, 1)
    // The recorder sets this one itself, to zoom.
    if query.is_read_only != 0 || query.identifier == OwnZoom.controlIdentifier {
      control.lock = .readOnly
    } else if query.is_inactive != 0 {
      control.lock = .inactive
    }
    return control
  }
}
