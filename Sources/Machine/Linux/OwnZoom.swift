import CVideo4Linux

/// How a camera itself magnifies the middle of its picture.
enum OwnZoom: BitwiseCopyable, Sendable {
  case none
  /// With the control V4L2_CID_ZOOM_ABSOLUTE, whose minimum is a factor of 1.
  case control(least: Int32, most: Int32)
  /// With the selection API: the driver scales a crop of the sensor's `full` picture, no smaller than `least`.
  case crop(full: v4l2_rect, least: v4l2_rect)

  /// V4L2_CID_ZOOM_ABSOLUTE: a camera control, V4L2_CID_CAMERA_CLASS_BASE + 13.
  static var controlIdentifier: UInt32 { 0x009A_090D }

  /// Finds out how a camera that is about to stream can zoom, and resets it to its whole picture.
  init(of device: VideoControls) {
    self = Self.control(of: device) ?? Self.crop(of: device) ?? .none
    _ = set(1, on: device)
  }

  /// The largest factor, above 1; nil if the camera cannot zoom.
  var maximum: Double? {
    switch self {
    case .none: nil
    case .control(let least, let most): Double(most) / Double(least)
    case .crop(let full, let least):
      min(Double(full.width) / Double(least.width), Double(full.height) / Double(least.height))
    }
  }

  /// - Returns: false if the camera refuses; ``lastSystemError`` says why.
  func set(_ factor: Double, on device: VideoControls) -> Bool {
    switch self {
    case .none: return true
    case .control(let least, let most):
      var control = v4l2_control(id: Self.controlIdentifier, value: Self.value(of: factor, least: least, most: most))
      return device.control(VIDEO_SET_CONTROL, &control)
    case .crop(let full, let least):
      return Self.set(Self.middle(of: full, factor: factor, least: least), UInt32(V4L2_SEL_TGT_CROP), on: device) != nil
    }
  }

  /// UVC gives the focal length in the driver's own units (UVC 1.5, 4.2.2.1.12): its ratio to the minimum is the
  /// factor.
  static func value(of factor: Double, least: Int32, most: Int32) -> Int32 {
    Int32(min(max(Double(least) * factor, Double(least)), Double(most)).rounded())
  }

  /// The middle of the picture, 1 / `factor` of each side but at least `least`, on even edges: 4:2:0 halves the chroma.
  static func middle(of full: v4l2_rect, factor: Double, least: v4l2_rect) -> v4l2_rect {
    guard factor > 1 else { return full }
    let width = max(UInt32(Double(full.width) / factor) & ~1, (least.width + 1) & ~1)
    let height = max(UInt32(Double(full.height) / factor) & ~1, (least.height + 1) & ~1)
    return v4l2_rect(
      left: full.left + Int32((full.width - width) / 2) & ~1, top: full.top + Int32((full.height - height) / 2) & ~1,
      width: width, height: height)
  }

  /// Ignores a range that does not start above 0: it gives no factors.
  private static func control(of device: VideoControls) -> OwnZoom? {
    var query = v4l2_queryctrl()
    query.id = Self.controlIdentifier
    let unusable = UInt32(V4L2_CTRL_FLAG_DISABLED) | UInt32(V4L2_CTRL_FLAG_READ_ONLY)
    guard device.control(VIDEO_QUERY_CONTROL, &query), query.flags & unusable == 0, query.minimum > 0,
      query.maximum > query.minimum
    else { return nil }
    return .control(least: query.minimum, most: query.maximum)
  }

  /// A driver takes the nearest crop that it can: requesting the smallest shows how far it zooms.
  private static func crop(of device: VideoControls) -> OwnZoom? {
    guard let full = rectangle(UInt32(V4L2_SEL_TGT_CROP_DEFAULT), of: device),
      set(full, UInt32(V4L2_SEL_TGT_CROP), on: device) != nil
    else { return nil }
    // Another program may have changed this.
    fillPicture(of: device)
    guard let least = leastCrop(of: full, on: device), least.width <= full.width, least.height <= full.height else {
      return nil
    }
    let zoom = OwnZoom.crop(full: full, least: least)
    return zoom.maximum ?? 1 > 1 ? zoom : nil
  }

  /// Once there are buffers, a driver refuses a crop for which it would have to shrink its pictures: half the factor
  /// may work.
  private static func leastCrop(of full: v4l2_rect, on device: VideoControls) -> v4l2_rect? {
    var factor = largestFactor
    while factor > 1 {
      let wanted = middle(of: full, factor: factor, least: v4l2_rect())
      if set(wanted, UInt32(V4L2_SEL_TGT_CROP), on: device) != nil {
        fillPicture(of: device)
        return rectangle(UInt32(V4L2_SEL_TGT_CROP), of: device)
      }
      factor /= 2
    }
    return nil
  }

  /// A driver that cannot scale that far puts a smaller picture into a corner. Told to fill the picture, it enlarges
  /// the crop until the picture is filled.
  private static func fillPicture(of device: VideoControls) {
    guard let whole = rectangle(UInt32(V4L2_SEL_TGT_COMPOSE_DEFAULT), of: device) else { return }
    _ = set(whole, UInt32(V4L2_SEL_TGT_COMPOSE), on: device)
  }

  /// - Returns: nil if the driver has none, an empty one, or one too large for any sensor.
  private static func rectangle(_ target: UInt32, of device: VideoControls) -> v4l2_rect? {
    var selection = v4l2_selection()
    selection.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    selection.target = target
    let sides = 1...CameraLimits.sensorPixels
    guard device.control(VIDEO_GET_SELECTION, &selection), sides.contains(selection.r.width),
      sides.contains(selection.r.height), selection.r.left.magnitude <= CameraLimits.sensorPixels,
      selection.r.top.magnitude <= CameraLimits.sensorPixels
    else { return nil }
    return selection.r
  }

  /// - Returns: what the driver chose; nil if it refuses.
  private static func set(_ rectangle: v4l2_rect, _ target: UInt32, on device: VideoControls) -> v4l2_rect? {
    var selection = v4l2_selection()
    selection.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    selection.target = target
    selection.r = rectangle
    return device.control(VIDEO_SET_SELECTION, &selection) ? selection.r : nil
  }
}

private var largestFactor: Double { 16 }
