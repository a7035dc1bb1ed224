import Port
import Values
import Rings
import Text

extension LibraryWorker where Folders: ~Copyable, Prober: ~Copyable {
  /// Checks or gives the next of the files that are named.
  mutating func go(on named: NamedFiles) {
    var named = named
    switch named.stage {
    case .checking: check(&named)
    case .giving: giveNext(&named)
    case .givingIndexed:
      if goThroughIndex() { named.stage = .giving }
      answer = .enqueuing(named)
    case .givingWalked: giveWalked(&named)
    }
  }

  private mutating func check(_ named: inout NamedFiles) {
    do throws(LibraryRefusal) {
      if let path = try nextPath(&named) {
        _ = try isFolder(path)
      } else {
        guard named.wordCount > 0 else { throw .noName }
        named.stage = .giving
        named.position = 0
      }
      answer = .enqueuing(named)
    } catch {
      answer = .refusing(error)
    }
  }

  /// What has vanished since it was checked is passed over.
  private mutating func giveNext(_ named: inout NamedFiles) {
    do throws(LibraryRefusal) {
      guard let path = try nextPath(&named) else { return endNamed(named) }
      if try isFolder(path) { beginFolder(path, &named) } else { give(item(at: path)) }
    } catch {}
    answer = .enqueuing(named)
  }

  private mutating func endNamed(_ named: NamedFiles) {
    answer = answeredCount > 0 ? .ending : .refusing(.nothingToPlay(named.folder))
  }

  /// The index is in order and knows tags, but only of its own folders, and not before a first pass.
  private mutating func beginFolder(_ path: FixedText<256>, _ named: inout NamedFiles) {
    named.folder = path
    let inside: FixedText<256> = "\(path)/"
    if passCount > 0, LibraryPath.root(of: inside.bytes) != nil {
      index.cursor = 0
      named.stage = .givingIndexed
    } else {
      walk.begin(path)
      named.stage = .givingWalked
    }
  }

  private mutating func giveWalked(_ named: inout NamedFiles) {
    switch walk.next(&folders) {
    case .file(let path): give(item(at: path))
    case .onTheWay: break
    case .end: named.stage = .giving
    }
    answer = .enqueuing(named)
  }

  private func item(at path: FixedText<256>) -> MediaItem {
    index.slot(of: path.bytes).map { index.item(of: $0) } ?? MediaItem(path: path)
  }

  private func nextPath(_ named: inout NamedFiles) throws(LibraryRefusal) -> FixedText<256>? {
    do throws(QuotedWords.Problem) {
      return try named.nextPath()
    } catch {
      throw .words(error)
    }
  }
}
