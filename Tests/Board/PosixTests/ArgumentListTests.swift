import Base
import CLinux
import TestSupport
import Testing

@testable import Machine

@Suite struct ArgumentListTests {
  @Test("The arguments after the program's name are returned in order, each cut to its capacity")
  func words() {
    var list = arguments("--seed", "Grüße")
    #expect(list.next() as FixedText<16>? == "--seed")
    var again = list
    #expect(list.next() as FixedText<3>? == "Gr")
    #expect(again.next() as FixedText<16>? == "Grüße")
    #expect(list.isAtEnd)
    #expect(list.next() as FixedText<16>? == nil)
  }

  @Test("A number must be whole and within the range, and a choice one of its words")
  func values() {
    var list = arguments("640", "641", "6.4", "fill", "full")
    #expect(list.number(1...640) == 640)
    #expect(list.number(1...640) == nil)
    #expect(list.number(1...640) == nil)
    #expect(list.choice() == Framing.fill)
    #expect(list.choice() as Framing? == nil)
    #expect(list.number(0...1) == nil)
    #expect(list.choice() as Framing? == nil)
  }

  @Test("A program that was started without a name has no arguments")
  func empty() {
    let none = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: 1)
    unsafe none.initialize(to: nil)
    let list = unsafe ArgumentList(count: 0, words: none)
    #expect(list.isAtEnd)
  }

  /// Arguments as passed to `main`; they are never freed.
  private func arguments(_ words: String...) -> ArgumentList {
    let pointers = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: words.count + 1)
    for (index, word) in (["program"] + words).enumerated() {
      unsafe (pointers + index).initialize(to: UnsafePointer(strdup(word)))
    }
    return unsafe ArgumentList(count: Int32(words.count + 1), words: pointers)
  }
}
