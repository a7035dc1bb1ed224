import Base
import Wire

/// A query or notice from the loop to the library. Queries are answered in order, each with any number of
/// ``LibraryReply/entry(_:)`` or ``LibraryReply/item(_:)`` and finally one ``LibraryReply/done(count:_:)`` or
/// ``LibraryReply/refused(_:)``. The notices ``heard(path:)``, ``growing(path:)``, ``complete(path:)``,
/// ``renamed(path:newPath:)`` and ``unlist`` are not answered.
package enum LibraryRequest: BitwiseCopyable, Sendable {
  /// All files of a kind, nil: of every kind, in order. Answered with entries.
  case list(MediaKind?)
  /// The files whose tag contains this text; ignores case, accents and widths. Answered with entries.
  case find(TagField, FixedText<128>)
  /// The files named by these words, as ``Text/QuotedWords`` splits them: each is a path, relative to the data folder
  /// or absolute, of a file, or of a folder for all files in it in order; or one or more numbers of the last list, `3`
  /// or `7-9`. If one does not exist, none is sent. Answered with items.
  case enqueue(words: FixedText<256>)
  /// The playable files whose artist contains this text, in order. Answered with items.
  case enqueueArtist(FixedText<128>)
  /// The complete take with the highest number. Answered with an item.
  case newestTake
  /// The next playable file in order; the first one for an empty path, and for one outside of the library's folders.
  /// Answered with an item.
  case following(path: FixedText<256>)
  /// What is known of a file. Answered with an item, without tags and duration when it is not indexed.
  case describe(path: FixedText<256>)
  /// The file with a number in the last list, from 1 on. Answered with an item.
  case listed(number: UInt32)
  /// The lyrics of a file, or of a number of the last list: those of a file beside it with the ending `.lrc`, or else
  /// in its tags. Answered with lyrics.
  /// - Parameter positionSeconds: of the item; NaN when it is not heard.
  case lyrics(path: FixedText<256>, positionSeconds: Double)
  /// The names that begin like this. Answered with names.
  case names(LibraryNames, beginningWith: FixedText<256>)
  /// The picture of a file, or of a number of the last list. Answered at once with only the end, when it is in the
  /// library's ``Rings/ArtworkCell``.
  case artwork(path: FixedText<256>)
  /// This file is heard from now on: its picture replaces the one on the display. Not answered.
  case heard(path: FixedText<256>)
  /// From now on no number names a file: another list was shown. Not answered.
  case unlist
  /// Begins another pass, as soon as one that is under way has ended. Answered at once, with only the end.
  case rescan
  /// A take is being written at this path: it is left out until it is complete. At most four at once; not answered.
  case growing(path: FixedText<256>)
  /// A take is complete: it belongs to the library now. Not answered.
  case complete(path: FixedText<256>)
  /// A take or a still has another name, and is in the library with that. Not answered.
  case renamed(path: FixedText<256>, newPath: FixedText<256>)
}

/// A part of the answer to a ``LibraryRequest``.
package enum LibraryReply: BitwiseCopyable, Sendable {
  case entry(LibraryEntry)
  case item(MediaItem)
  /// A line of lyrics, and whether it is sung now.
  case lyrics(LyricsLine, isNow: Bool)
  /// What a name can be completed to.
  case names(WordCompletion)
  /// The end: the number of entries or items, and how much of the folders the answer can have covered. Of `rescan` the
  /// number of passes that will have ended with the one that it orders.
  case done(count: UInt32, LibraryCoverage)
  /// There is no answer; nothing was sent before this.
  case refused(LibraryRefusal)
}

/// A file of the library.
package struct LibraryEntry: BitwiseCopyable, Equatable, Sendable {
  package var item: MediaItem
  package var kind: MediaKind
  /// Why it cannot be played; nil when it can, or while that is unknown.
  package var refusal: DecoderRefusal?

  /// One line: `music/01.caf, 6.0 s, Title - Artist`, or `music/02.mp3 is damaged: …`.
  package var line: FixedText<600> {
    var line: FixedText<600> = "\(item.path)"
    if let refusal {
      line.append(" \(refusal.problem)" as FixedText<128>)
      return line
    }
    if let seconds = item.durationSeconds {
      line.append(", ")
      line.append(seconds, decimals: 1)
      line.append(" s")
    }
    if !item.title.isEmpty { line.append(", \(item.label)" as FixedText<280>) }
    return line
  }
}

/// How much of the folders the index covers.
package struct LibraryCoverage: BitwiseCopyable, Equatable, Sendable {
  /// Files in the index.
  package var indexedCount: UInt32
  /// Files for which it had no space, in the last whole pass or in the one under way.
  package var leftOutCount: UInt32
  /// Files whose tags have not been read yet.
  package var unreadCount: UInt32
  /// Whether a first pass has ended, and the tags of all files that it found were read.
  package var isComplete: Bool

  /// Files that cannot be named in a line, in the last whole pass or in the one under way.
  package var unnamedCount: UInt32 = 0

  /// Files and folders on other devices that were left out, in that pass.
  package var elsewhereCount: UInt32 = 0

  /// What is on other devices, as one line; nil when that is nothing.
  package var elsewhereNote: FixedText<128>? {
    guard elsewhereCount > 0 else { return nil }
    return "not listed: \(count: elsewhereCount, "file") on other devices; set [library] other_devices = yes"
  }

  /// The files that cannot be named, as one line; nil when there are none.
  package var unnamedNote: FixedText<128>? {
    guard unnamedCount > 0 else { return nil }
    return
      "\(count: unnamedCount, "file") not listed: control characters or bad UTF-8 in the name, or a path above 256 bytes"
  }

  /// The limits of an answer, as one line; nil when it covers everything.
  package var note: FixedText<128>? {
    if leftOutCount > 0 {
      return "the library is full: \(count: leftOutCount, "file") left out; raise [library] capacity"
    }
    return isComplete ? nil : "still indexing: \(count: indexedCount, "file") so far"
  }
}

/// Why the library has no answer.
package enum LibraryRefusal: Error, BitwiseCopyable, Equatable, Sendable {
  case absent(FixedText<256>)
  case unreadable(FixedText<256>)
  case folder(FixedText<256>)
  case nothingToPlay(FixedText<256>)
  case playlist(FixedText<256>)
  case noName
  case words(QuotedWords.Problem)
  case unprintable
  /// A number names a file of the last list, or a take, and there is neither.
  case noTakeNumber(UInt32)
  case notListed(UInt32, count: UInt32)
  case listedIsGone(UInt32)
  case noLyrics(FixedText<256>)
  case noArtwork(FixedText<256>)
  case refused(FixedText<256>, DecoderRefusal)
  case noDecoder
  case noArtist(FixedText<128>)
  case noTake
  /// No playable file follows this one; an empty path: there is none at all.
  case nothingFollows(FixedText<256>)

  /// The reason as one line, without `error:` in front.
  package var line: FixedText<384> {
    switch self {
    case .absent(let path): "\(path) does not exist"
    case .unreadable(let path): "\(path) cannot be read: check the card and its file system"
    case .folder(let path): "\(path) is a folder: name a file"
    case .nothingToPlay(let path): "\(path) has no playable file"
    case .playlist(let path): "\(path) is a playlist: name the files, or their folder"
    case .noName: "name a file"
    case .words(.unclosedQuote): "a quote is not closed"
    case .words(.wordTooLong): "a path is longer than 256 bytes"
    case .unprintable: "the path is not plain text"
    case .noTakeNumber(let number): "there is no take \(number): takes lists them, and list all files"
    case .notListed(let number, let count): "the last list has no number \(number): it has \(count)"
    case .listedIsGone(let number): "number \(number) of the last list is not there any more: list again"
    case .noLyrics(let path): "\(path) has no lyrics"
    case .noArtwork(let path): "\(path) has no JPEG or PNG picture"
    case .refused(let path, let refusal): "\(path) \(refusal.problem)"
    case .noDecoder: "the decoder cannot be started: install fieldcorder-decode beside fieldcorder"
    case .noArtist(let artist): "no artist is called \"\(artist)\""
    case .noTake: "there is no complete take"
    case .nothingFollows(let path) where path.isEmpty: "there is no playable file"
    case .nothingFollows(let path): "nothing playable follows \(path)"
    }
  }
}
