import Base
import CLinux
import Drawing
import Machine

/// The fonts of the display. Their files are mapped, so that the kernel reads only the pages that are used.
enum FontFiles {
  /// In the order in which they are searched for a letter: Latin, Greek and Cyrillic in one, Hangul, Kana and symbols
  /// in the other.
  private static let usual: InlineArray<2, FixedText<128>> = [
    "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf",
    "/usr/share/fonts/truetype/nanum/NanumBarunGothicBold.ttf",
  ]

  /// Adds the fonts. If one cannot be used, its letters come from the next, and finally from a bitmap.
  /// - Parameters:
  ///   - chosen: searched before the usual ones; nil for none.
  ///   - tell: receives a line for each font that cannot be used.
  static func add(to lettering: Lettering, chosen: FixedText<64>?, tell: (FixedText<256>) -> Void) {
    if let chosen { add("\(chosen)", to: lettering, tell) }
    for index in usual.indices { add(usual[index], to: lettering, tell) }
  }

  private static func add(_ path: FixedText<128>, to lettering: Lettering, _ tell: (FixedText<256>) -> Void) {
    guard let file = unsafe mapped(path) else {
      return tell(
        "font \(path) cannot be read: install fonts-roboto-unhinted and fonts-nanum, or set another [view] font")
    }
    switch unsafe lettering.add(file) {
    case nil: break
    case .damaged: tell("font \(path) is no font of outlines, or damaged: set another [view] font")
    case .memoryFull: tell("font \(path) needs too much memory: set another [view] font")
    }
  }

  // Safe: the mapping is never removed.
  private static func mapped(_ path: FixedText<128>) -> UnsafeRawBufferPointer? {
    // Opening something other than a regular file must not block.
    guard let file = FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK) else { return nil }
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_size > 0 else { return nil }
    let address = unsafe mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, file.number, 0)
    guard unsafe linux_is_map_failed(address) == 0 else { return nil }
    return unsafe UnsafeRawBufferPointer(start: address, count: Int(status.st_size))
  }
}
