import Base
import Wire

/// A query or notice from the loop to the library. Queries are answered in order, each with any number of
/// ``LibraryReply/entry(_:)`` or ``LibraryReply/item(_:)`` and finally one ``LibraryReply/done(count:_:)`` or
/// ``LibraryReply/refused(_:)``. The notices ``heard(path:)``, ``growing(path:)``, ``complete(path:soundSeconds:)``,
/// ``renamed(path:newPath:)`` and ``unlist`` are not answered.
package enum LibraryRequest: BitwiseCopyable, Sendable {
  /// All files of a kind, or of every kind if nil, in order. Answered with entries.
  case list(MediaKind?)
  /// The files whose tag contains this text, ignoring case, accents and character width. Answered with entries.
  case find(TagField, FixedText<128>)
  /// The files named by these words, as split by ``Text/QuotedWords``. Each word is the path, relative to the data
  /// folder or absolute, of a file, or of a folder for all its files in order; or one or more numbers of the last list,
  /// `3` or `7-9`. If one does not exist, none is sent. Answered with items.
  case enqueue(words: FixedText<256>)
  /// The playable files whose artist contains this text, in order. Answered with items.
  case enqueueArtist(FixedText<128>)
  /// The complete take with the highest number. Answered with an item.
  case newestTake
  /// The next playable file in order; the first one for an empty path or one outside the library's folders. Answered
  /// with an item.
  case following(path: FixedText<256>)
  /// What is known about a file. Answered with an item, without tags and duration if the file is not indexed.
  case describe(path: FixedText<256>)
  /// The file with this number in the last list, from 1. Answered with an item.
  case listed(number: UInt32)
  /// The lyrics of a file, or of a number in the last list: from a file beside it with the extension `.lrc`, or else
  /// from its tags. Answered with lyrics.
  /// - Parameter positionSeconds: in the item; NaN if it is not being heard.
  case lyrics(path: FixedText<256>, positionSeconds: Double)
  /// The names that begin with this text. Answered with names.
  case names(LibraryNames, beginningWith: FixedText<256>)
  /// The picture of a file, or of a number in the last list. Answered only with the end, once the picture is in the
  /// library's ``Rings/ArtworkCell``.
  case artwork(path: FixedText<256>)
  /// This file is heard from now on: its picture replaces the one on the display. Not answered.
  case heard(path: FixedText<256>)
  /// Another list was shown: from now on no number names a file. Not answered.
  case unlist
  /// Begins another pass once the current one has ended. Answered at once, only with the end.
  case rescan
  /// A take is being written at this path and is left out until it is complete. At most four at once; not answered.
  case growing(path: FixedText<256>)
  /// A take or still is complete and now belongs to the library. Not answered.
  /// - Parameter soundSeconds: the length of a take that is sound alone, so that no process is started to read it: the
  ///   start costs as much as ten seconds of recording. Nil if the file has to be read.
  case complete(path: FixedText<256>, soundSeconds: Double? = nil)
  /// A take or still was renamed, and is in the library under the new path. Not answered.
  case renamed(path: FixedText<256>, newPath: FixedText<256>)
}

package enum LibraryReply: BitwiseCopyable, Sendable {
  case entry(LibraryEntry)
  case item(MediaItem)
  /// A line of lyrics, and whether it is being sung now.
  case lyrics(LyricsLine, isNow: Bool)
  case names(WordCompletion)
  /// The end: the number of entries or items, and how much of the folders the answer may cover. For `rescan`, the
  /// number of passes once the requested one has ended.
  case done(count: UInt32, LibraryCoverage)
  /// There is no answer, and nothing was sent before.
  case refused(LibraryRefusal)
}

/// A file of the library.
package struct LibraryEntry: BitwiseCopyable, Equatable, Sendable {
  package var item: MediaItem
  package var kind: MediaKind
  /// Why it cannot be played; nil if it can, or while that is unknown.
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
  /// The number of files in the index.
  package var indexedCount: UInt32
  /// The number of files without room in the index, in the last complete pass or in the current one.
  package var leftOutCount: UInt32
  /// The number of files whose tags have not been read yet.
  package var unreadCount: UInt32
  /// Whether a first pass has ended and the tags of all files found have been read.
  package var isComplete: Bool

  /// The number of files whose path cannot be printed in a line, in the last complete pass or in the current one.
  package var unnamedCount: UInt32 = 0

  /// The number of files and folders left out on other devices, in that pass.
  package var elsewhereCount: UInt32 = 0

  /// The files on other devices, as one line; nil if there are none.
  package var elsewhereNote: FixedText<128>? {
    guard elsewhereCount > 0 else { return nil }
    return "not listed: \(count: elsewhereCount, "file") on other devices; set [library] other_devices = yes"
  }

  /// The files whose path cannot be printed, as one line; nil if there are none.
  package var unnamedNote: FixedText<128>? {
    guard unnamedCount > 0 else { return nil }
    return
      "\(count: unnamedCount, "file") not listed: control characters or bad UTF-8 in the name, or a path above 256 bytes"
  }

  /// The limits of an answer, as one line; nil if it covers everything.
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
  /// There is no list, and no take has this number.
  case noTakeNumber(UInt32)
  /// The take that has the number is being recorded.
  case open(FixedText<256>)
  case notListed(UInt32, count: UInt32)
  case listedIsGone(UInt32)
  case noLyrics(FixedText<256>)
  case noArtwork(FixedText<256>)
  case refused(FixedText<256>, DecoderRefusal)
  case noDecoder
  case noArtist(FixedText<128>)
  case noTake
  /// No playable file follows this one; for an empty path, there is none at all.
  case nothingFollows(FixedText<256>)

  /// The reason as one line, without a leading `error:`.
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
    case .open(let path): "\(path) is still being written: wait until it is complete"
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
