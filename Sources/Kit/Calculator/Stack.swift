/// What waits while an expression is evaluated.
struct Stack<let capacity: Int, Element: BitwiseCopyable>: BitwiseCopyable {
  private var elements: InlineArray<capacity, Element>
  private(set) var count = 0

  /// - Parameter filler: stands where nothing waits.
  init(filler: Element) { elements = InlineArray(repeating: filler) }

  /// - Returns: false, with nothing stored, when there is no space.
  mutating func push(_ element: Element) -> Bool {
    guard count < capacity else { return false }
    elements[count] = element
    count += 1
    return true
  }

  /// The newest; nil when there is none.
  var top: Element? { count > 0 ? elements[count - 1] : nil }

  mutating func pop() -> Element? {
    guard let top else { return nil }
    count -= 1
    return top
  }
}
