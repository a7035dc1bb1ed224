import Base
import CDRM
import CLinux
import Drawing

/// Memory that a display can show.
@safe struct ScreenBuffer {
  let size: PixelSize
  /// The card's frame buffer number.
  let identifier: UInt32
  private let pixelsPerLine: Int
  // Sound: mapped until ``unmap()``, and drawn on by one thread.
  private let memory: UnsafeMutableRawBufferPointer

  /// - Returns: nil when the card has no such memory; what it allocated is freed when the card is closed.
  init?(_ card: Int32, _ size: PixelSize) {
    var handle: UInt32 = 0
    var bytesPerLine: UInt32 = 0
    var byteCount: UInt64 = 0
    var identifier: UInt32 = 0
    var offset: UInt64 = 0
    let (width, height) = (UInt32(size.width), UInt32(size.height))
    guard unsafe drmModeCreateDumbBuffer(card, width, height, 32, 0, &handle, &bytesPerLine, &byteCount) == 0,
      unsafe drmModeAddFB(card, width, height, 24, 32, bytesPerLine, handle, &identifier) == 0,
      unsafe drmModeMapDumbBuffer(card, handle, &offset) == 0
    else { return nil }
    let address = unsafe mmap(nil, Int(byteCount), PROT_READ | PROT_WRITE, MAP_SHARED, card, Int(offset))
    guard unsafe linux_is_map_failed(address) == 0 else { return nil }
    self.size = size
    self.identifier = identifier
    pixelsPerLine = Int(bytesPerLine) / 4
    unsafe memory = UnsafeMutableRawBufferPointer(start: address, count: Int(byteCount))
  }

  /// To be called once, last of all.
  func unmap() { unsafe munmap(memory.baseAddress, memory.count) }

  func draw(_ draw: (inout Canvas) -> Void) {
    let pixels = unsafe MutableSpan<UInt32>(_unsafeElements: memory.bindMemory(to: UInt32.self))
    guard var canvas = Canvas(pixels, size: size, pixelsPerLine: pixelsPerLine) else { return }
    draw(&canvas)
  }
}
