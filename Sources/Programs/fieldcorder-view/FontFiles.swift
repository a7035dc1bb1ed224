import Base
import CLinux
import Drawing
import Machine

/// The fonts of the display. Their files are mapped, and the kernel reads the pages that are used.
enum FontFiles {
  /// In the order in which they are asked for a letter: Latin, Greek and Cyrillic from one, Hangul, Kana and signs from
  /// the other.
  private static let usual: InlineArray<2, FixedText<128>> = [
    "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf",
    "/usr/share/fonts/truetype/nanum/NanumBarunGothicBold.ttf",
  ]

  /// Adds the fonts. Letters of one that cannot be used come from the next, and at last from a bitmap.
  /// - Parameters:
  ///   - chosen: asked before the usual ones; nil for none.
  ///   - tell: is given a line for each that cannot be used.
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

  // Safe: it is never unmapped.
  private static func mapped(_ path: FixedText<128>) -> UnsafeRawBufferPointer? {
    // What is no file must not be waited for.
    guard let file = FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK) else { return nil }
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_size > 0 else { return nil }
    let address = unsafe mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, file.number, 0)
    guard unsafe linux_is_map_failed(address) == 0 else { return nil }
    return unsafe UnsafeRawBufferPointer(start: address, count: Int(status.st_size))
  }
}
