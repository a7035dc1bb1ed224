import Values

extension SimBoardSettings {
  /// Whether ``SimScene`` can be drawn in the pictures.
  var canDraw: Bool { widthPixels >= 160 && heightPixels >= 120 && (widthPixels | heightPixels) & 1 == 0 }

  /// Whether the camera makes JPEGs of what it draws.
  var codesPictures: Bool { pixelFormat == .mjpeg && canDraw }

  /// What the camera delivers.
  var pictureFormat: VideoFormat {
    guard pixelFormat == .mjpeg else { return drawnFormat }
    return VideoFormat(
      widthPixels: widthPixels, heightPixels: heightPixels, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: frameRate)
  }

  /// What it draws: 4:2:2 for JPEGs, for in that most cameras code that do.
  var drawnFormat: VideoFormat {
    let drawn = pixelFormat == .mjpeg ? .yuyv : pixelFormat
    return VideoFormat(
      widthPixels: widthPixels, heightPixels: heightPixels, pixelFormat: drawn,
      bytesPerRow: UInt32(widthPixels) * (drawn == .yuyv ? 2 : 1), frameRate: frameRate, colorRange: .limited)
  }
}
