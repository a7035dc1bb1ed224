/// Literals with words that are not translated, and why.
enum NoMessages {
  /// Functions whose texts only a programmer sees, because they report a bug.
  private static let calls: Set<String> = ["precondition", "preconditionFailure", "fatalError", "assert"]
  /// Functions whose texts are read by programs, or are commands to be typed.
  private static let plainCalls: Set<String> = [
    "ledger.note", "recording.ledger.note", "console.quote", "Examples", "Group",
  ]

  /// Files, or folders, whose literals are not messages.
  static let files: [(String, reason: String)] = [
    ("Sources/Media/Formats/", "what is written into files is the same everywhere"),
    ("Sources/Media/Sealing/", "what is written into files is the same everywhere"),
    ("Sources/Record/Takes/Ledger/TakeLedger.swift", "a take's ledger is read by programs"),
    ("Sources/Base/Values/Timecode.swift", "a take's ledger is read by programs"),
    ("Sources/App/Recording/LedgerNotes.swift", "a take's ledger is read by programs"),
    ("Sources/Catalog/Takes/ListedTake.swift", "a take's ledger is read by programs"),
    ("Sources/Record/Takes/TakeJournal", "the file state"),
    ("Sources/Kit/Sheet/TakeSheet.swift", "the file sheet"),
    ("Sources/App/Sheet/SoundReport.swift", "a report for other programs and people, the same everywhere"),
    ("Sources/App/Deployment/DaySummary.swift", "the files summary.csv and summary-today, in English"),
    ("Sources/App/Deployment/DeploymentFile.swift", "the file deployment"),
    ("Sources/App/Deployment/DeploymentPage.swift", "a report for people anywhere, the same everywhere"),
    ("Sources/Record/Takes/FoldedRestarts.swift", "the file events, in English"),
    ("Sources/Wire/Fetching/PlaylistReader.swift", "words of playlists, which programs write"),
    ("Sources/Console/Commands/Completion.swift", "a command and its words are typed as they are"),
    ("Sources/Console/Terminal/History.swift", "the prompt is the same everywhere"),
    ("Sources/Kit/Guitar/Chord", "names of chords"),
    ("Sources/Kit/Guitar/PracticeBook.swift", "the file practice, and names of chords"),
    ("Sources/Programs/fieldcorder-decode/", "the recorder starts it and tells in its place what is wrong"),
    ("Sources/Programs/fieldcorder-fetch/", "the system starts it, and the recorder tells in its place what is wrong"),
    ("Sources/Programs/fieldcorder-view/Picture", "draws the pictures of the documents"),
    ("Sources/Programs/fieldcorder-view/ViewProgram.swift", "the recorder starts it, and no person"),
    ("Sources/Programs/fieldcorder-monitor/", "a system's log, and what browsers and players read"),
    ("Sources/Programs/fieldcorder-relay/", "a system's log"),
  ]

  /// Literals, as written in the sources.
  static let texts: [(String, reason: String)] =
    reason(
      "a command and its words are typed as they are",
      [
        "calc export", "calc history", "calc import", "chord find", "chord forget", "chord save", "chord search",
        "clock hangul", "clock set", "deploy check", "deploy report", "find artist", "find title", "move DX DY",
        "X Y W H or move DX DY",
        "play at",
        "queue artist",
        "queue repeat", "queue replace", "schedule next", "trigger learn", "queue shuffle", "status json", "TAKE DIR",
        "wipe {1}",
        "DEVICE fit|fill WIDTH HEIGHT built-in|standing [FONT]",
      ])
    + reason("what programs tell each other", ["page ", "page {1}\n"])
    + reason("the name of a file, and of a form that is never said", ["calculations", "lines"])
    + reason("members of JSON", ["not armed", "not recording"])
    + reason(
      "endings of names of files",
      [
        "aif aifc aiff caf flac wav", "jpeg jpg", "asx cue m3u m3u8 pls wax wpl wvx xspf",
        "3g2 3ga 3gp 3gpp aac ac3 adts aif aifc aiff amr ape asf au avi awb bwf caf dff dsf dts eac3 flac flv m2a m4a "
          + "m4b m4r m4v mka mkv mov mp1 mp2 mp3 mp4 mpa mpc mpga oga ogg ogm ogv opus ra rf64 rm snd spx tak tta voc "
          + "w64 wav wave weba webm wma wmv wv",
      ])
    + reason(
      "names of parameters in addresses",
      [
        "auth cookie credential jwt key pass pwd secret session sid sig token",
        "accept accept-language authorization cookie icy-metadata origin referer referrer user-agent verifypeer x-forwarded-for",
      ])
    + reason(
      "a number and its unit",
      [
        "A4 = {1} Hz", "{1} Hz", "{1}-{2} Hz", "{1} cents", "{1} MB", "{1} min ", "{1}: {2} dBFS, start_db {3}",
        "{1}: {2} %, motion_start_percent {3}",
      ])
    + reason(
      "what a system or a chip calls it",
      [
        "exit {1}", "signal {1}", "exec {1} --no-ask-password set-time @{2} >&3 2>&3",
        "exec {1} --no-ask-password poweroff >&3 2>&3", "exec {1}/sleep {2} {3} {4} >&3 2>&3",
        "{1} 0x{2} identity 0x{3}",
      ])
    + reason("the reply of player, which programs read", ["loop off", "loop from {1} s", "loop from {1} s to {2} s"])
    + reason(
      "what another program says",
      ["Failed to set time: Automatic time synchronization is enabled", "no clock has an alarm"])
    + reason(
      "a comment in a configuration file, which programs read",
      ["not confirmed", "not saved", " ; after a restart", ", after a restart"])
    + reason("a word of an object that programs read", ["time server"])
    + reason(
      "endings of names",
      [
        """
        7z asx bmp bz2 conf crdownload css cue db doc docx download epub exe ffp gif gz htm html ini iso jpeg jpg js json \
        lnk lock log lrc m3u m3u8 md md5 nfo odt part partial pdf pls png py rar rtf sfv sh sha1 sha256 sig srt sub svg \
        swp tar temp tgz tif tiff tmp torrent ttf txt url vtt webp xml xspf xz zip
        """
      ])
    + reason(
      "a file's contents",
      [
        "false take", "repeat {1}\nshuffle {2}\n", "window = {1}\n", "card: error {1}, tried again",
        "{1}, in the file before",
        "time lapse: a picture every {1} s, played at {2} a second", "time lapse: picture {1}", "still {1} {2}",
      ])

  private static func reason(_ reason: String, _ texts: [String]) -> [(String, reason: String)] {
    texts.map { ($0, reason: reason) }
  }

  static func covers(_ literal: SourceLiteral) -> Bool {
    !calls.union(plainCalls).isDisjoint(with: literal.calls)
      || files.contains { literal.file.hasPrefix($0.0) } || texts.contains { $0.0 == literal.text }
  }
}
