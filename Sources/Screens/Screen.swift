import Base
import CDRM
import CLinux
import Drawing
import Machine

/// A display that this process draws on, through kernel mode setting: two buffers, one shown while the other is drawn.
@usableFromInline package struct Screen: ~Copyable {
  /// The state of a frame.
  package enum Showing: Equatable, Sendable {
    /// An event says when the display shows it.
    case underway
    /// The card has no such events: it is shown.
    case shown
  }

  /// Enough for a viewfinder, and as much as a small machine draws in time.
  package static var longestSide: Int { 1920 }

  // The kernel gives the buffers back when the last descriptor of the card is closed.
  private let card: FileDescriptor
  private var output: drm_output
  private let first: ScreenBuffer
  private let second: ScreenBuffer
  private var showsFirst = true
  private var hasFlips = true

  /// Opens a card, becomes its master, and shows black.
  package init(_ device: FixedText<64>) throws(ScreenTrouble) {
    guard let card = FileDescriptor(path: device, flags: O_RDWR | O_NONBLOCK) else {
      throw lastSystemError == EACCES || lastSystemError == EPERM ? .noPermission : .absent
    }
    // The first to open a card is its master.
    guard drmIsMaster(card.number) != 0 || drmSetMaster(card.number) == 0 else {
      throw lastSystemError == ENOTTY ? .noDisplayCard : .busy
    }
    var output = drm_output()
    switch unsafe drm_find_output(card.number, UInt32(Self.longestSide), &output) {
    case DRM_FOUND: break
    case DRM_UNPLUGGED: throw .unplugged
    case DRM_NO_MODE: throw .noMode
    default: throw .noDisplayCard
    }
    let size = PixelSize(width: Int(output.mode.hdisplay), height: Int(output.mode.vdisplay))
    guard let first = ScreenBuffer(card.number, size), let second = ScreenBuffer(card.number, size) else {
      throw .noBuffers
    }
    guard unsafe drm_show(card.number, &output, first.identifier) == 0 else { throw .failed }
    self.card = card
    self.output = output
    self.first = first
    self.second = second
  }

  deinit {
    first.unmap()
    second.unmap()
  }

  /// Of the mode.
  package var size: PixelSize { first.size }

  /// Readable when a frame has been shown.
  package var descriptor: Int32 { card.number }

  /// Whether the display is still plugged in.
  package var isConnected: Bool { drm_is_connected(card.number, output.connector) }

  /// Draws the hidden buffer and shows it. Not while another frame waits.
  package mutating func show(_ draw: (inout Canvas) -> Void) throws(ScreenTrouble) -> Showing {
    let hidden = showsFirst ? second : first
    hidden.draw(draw)
    let showing = try flip(to: hidden)
    showsFirst.toggle()
    return showing
  }

  /// Reads the card's events.
  /// - Returns: whether a waiting frame is now shown.
  package func takeEvents() throws(ScreenTrouble) -> Bool {
    let count = drm_take_flips(card.number)
    guard count >= 0 else { throw .absent }
    return count > 0
  }

  private mutating func flip(to buffer: ScreenBuffer) throws(ScreenTrouble) -> Showing {
    if hasFlips {
      let event = UInt32(DRM_MODE_PAGE_FLIP_EVENT)
      if drmModePageFlip(card.number, output.crtc, buffer.identifier, event, nil) == 0 { return .underway }
      let error = lastSystemError
      guard error == EINVAL || error == ENOSYS || error == EOPNOTSUPP else { throw Self.trouble(error) }
      hasFlips = false
    }
    guard unsafe drm_show(card.number, &output, buffer.identifier) == 0 else { throw Self.trouble(lastSystemError) }
    // A card that scans out its memory by itself refuses this, which is no error.
    _ = drmModeDirtyFB(card.number, buffer.identifier, nil, 0)
    return .shown
  }

  private static func trouble(_ systemErrorNumber: Int32) -> ScreenTrouble {
    switch systemErrorNumber {
    case EACCES, EPERM: .busy
    case ENODEV, ENXIO: .absent
    default: .failed
    }
  }
}
