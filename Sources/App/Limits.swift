import Media

/// Every bound of the loop, with its derivation.
package enum Limits {
  /// At most this much sound per tick: 100 ms at 192 kHz. At 48 kHz that is 80 ticks' worth, so a loop that was delayed
  /// by 400 ms has caught up one tick later.
  package static var audioFramesPerTick: Int { 19_200 }

  /// At most this many pictures per tick: a 120 Hz camera fills fewer in 20 ms, the longest tick.
  package static var picturesPerTick: Int { 4 }

  /// Sound, pictures and the console's bytes are read at this interval and not on each tick. The card and the camera
  /// timestamp their data, so timing stays exact, and most of a tick's system calls are saved. Meanwhile a 120 Hz
  /// camera fills 3 of its 6 buffers, and a console at 115,200 baud 230 of the driver's 4,096 bytes.
  package static var exchangeMilliseconds: UInt64 { 20 }

  /// A person's keys are looked for at this interval, where there is a terminal: with what a serial line takes to send
  /// the echo, it is on the screen within 20 ms, which nobody sees.
  static var keyMilliseconds: UInt64 { 10 }

  /// The most buffers a camera may have.
  package static var cameraBuffers: Int { 8 }

  /// The queues to and from the encoder hold every buffer of the camera, and what stands for its pictures while it is
  /// lost: 12.
  static var picturesToEncoder: Int { cameraBuffers + CameraBuffers.standInCount }

  /// Buffers like the camera's, for zoomed pictures: the hardware encoder reads one while the next is written.
  static var spareBuffers: Int { 2 }

  /// Orders and reports between loop and storage worker. A take needs two or three of each: during a stall of the card
  /// twenty presses are queued before one is refused.
  package static var storageQueue: Int { 64 }

  /// Queries to the library that it has not taken yet: eight that expect an answer, and as many notices of takes that
  /// began or ended meanwhile.
  package static var libraryQuestions: Int { 16 }

  /// Answers of the library that the loop has not taken yet. The worker goes on every ``libraryMilliseconds`` while it
  /// has something to answer: a list of 10,000 files takes a second, if the console keeps up.
  package static var libraryAnswers: Int { 64 }

  /// While answering, the library checks at this interval whether the loop has taken some of the answer: a tick.
  package static var libraryMilliseconds: UInt64 { 5 }

  /// Orders to the keeper that it has not taken yet: the daily pass, and commands one at a time.
  static var retentionOrders: Int { 8 }

  /// Takes that were moved and that the library has not looked at again: a person moves one at a time.
  static var takeMoves: Int { 8 }

  /// Reports of the keeper that the loop has not taken yet: it waits when they are full.
  static var retentionReports: Int { 32 }

  /// Calculations on their way into the history: during a stall of the card ten seconds of typing.
  static var historyOrders: Int { 8 }

  /// Lines of the history that the loop has not taken yet: 10,000 take 6 s, if the console keeps up.
  static var historyReports: Int { 32 }

  /// How long a command waits for space in a worker's queue, and the end of the program for the calculator's last result:
  /// a card that stalls must not hold up who calculates.
  static var jobSpaceMilliseconds: UInt64 { 1000 }

  /// How often the loop looks whether a day has begun, the clock was set, or space has run out: at 100 Mbit/s a take
  /// fills 125 MB meanwhile.
  static var retentionCheckSeconds: UInt64 { 10 }

  /// How often a line without a terminal is told how far `verify` has come.
  static var verificationLineSeconds: UInt64 { 3 }

  /// After a pass that could not free enough, the next one comes this much later: it would find the same.
  static var retentionRetrySeconds: UInt64 { 600 }

  /// How often the loop looks whether the clock was set: a take that begins meanwhile is dated again when it is complete.
  static var clockLookMilliseconds: UInt64 { 1000 }

  /// How far a clock goes wrong that nothing disciplines: crystals of such boards are within 50 parts per million, and
  /// their temperature adds as much.
  static var clockDriftPartsPerMillion: UInt64 { 100 }

  /// Stills on their way to the card. During a stall of ten seconds, long presses of 0.8 s order one each; their JPEGs
  /// fit ``MemoryPlan`` if they are pictures of average size.
  package static var stills: Int { 16 }

  /// A still's picture comes within two periods of the slowest camera, which runs at 1 Hz.
  package static var stillPictureMilliseconds: UInt64 { 2500 }

  /// How long a still may take to reach the card: a stall of 10 s, and the rings' margin of one second.
  package static var stillAnswerMilliseconds: UInt64 { 11_000 }

  /// How long `record start` waits to learn whether the take began: a card answers in milliseconds, a camera that is
  /// opened for the take delivers within a second. A card that stalls longer may still answer: its failure is an event.
  static var takeAnswerMilliseconds: UInt64 { 2000 }

  /// How long a listing waits for what the system tells: a camera answers for each of its controls in some milliseconds,
  /// and may have two dozen. What is still unknown then is left out of the reply, or the command is refused.
  static var inquiryMilliseconds: UInt64 { 2000 }

  /// Settings that `config` looks at in a tick: for each the table of some 230 is walked through six times, which takes a
  /// tenth of a millisecond on a slow processor.
  static var settingsPerTick: Int { 8 }

  /// The storage worker checks the rings at this interval: ten times per fragment. Waking it for each picture and each
  /// period of sound would be 80 times a second.
  package static var storageWakeMilliseconds: UInt64 { 50 }

  /// When it stops, the appliance waits this long for the storage worker to complete the last take: 10 s for a stalled
  /// card, and the tables of a day-long take.
  package static var finishingSeconds: UInt64 { 120 }

  /// Between two presses of one button that the console simulates, as a finger would: longer than the longest bounce of
  /// a simulated contact and its debouncing.
  package static var fingerMilliseconds: UInt64 { 60 }

  /// At a terminal `quit` during a take goes on when it is repeated within this time: enough to read one line and to type
  /// four letters, and too short for a `quit` of a later thought.
  static var quitAgainSeconds: UInt64 { 10 }

  /// `identity reset` goes on when it is repeated within this time, for the same reasons.
  static var resetAgainSeconds: UInt64 { 10 }

  /// How long `slate` waits for the speaker: a closed card is opened within one, and may be busy at first.
  static var slateSeconds: UInt64 { 2 }

  /// Failed readings of the buttons in a row after which they are lost: 50 ms at a tick of 5 ms. A disturbance on the wires
  /// lasts a few milliseconds, and the shortest press of a finger 80.
  static var buttonFailures: Int { 10 }

  /// The same of the accelerometer: 250 ms at the usual interval of 50 ms, in which no orientation is confirmed either. On
  /// a bus that is stuck each reading takes its 10 ms, two of these ticks.
  static var accelerometerFailures: Int { 5 }

  /// At the end the remaining output is offered to the console for this long: 32 KiB take 2.9 s at 115,200 baud.
  package static var goodbyeMilliseconds: UInt64 { 3000 }

  /// Pictures for the live views where the frame ring holds none that they can decode: the newest, the one before,
  /// which a view may be copying, and the one that is being encoded.
  package static var viewPictures: Int { 3 }

  /// From one such picture to the next while a view is open: a Raspberry Pi 4 takes about 30 ms for one of 1080p, so
  /// one of its four cores is busy for a third of the time.
  package static var viewPictureMilliseconds: UInt64 { 100 }

  /// The same while no view is open: `preview` draws a picture that is at most this old.
  package static var unwatchedPictureMilliseconds: UInt64 { 1000 }

  /// Lines from the display's process that the console has not printed yet: more than ``ReportedLines`` lets through.
  package static var viewEvents: Int { 32 }

  /// At most this many lines are read from a display's process at a time: a socket's buffer holds some hundreds.
  static var viewLinesPerLook: Int { 64 }

  /// How long `discover` may take besides the time for which it searches: Avahi's daemon is started by its first user, and
  /// the worker looks every 250 ms.
  static var searchAnswerSeconds: UInt64 { 5 }

  /// Requests for a search that the worker has not taken yet: each search has a beginning and an end.
  static var searchRequests: Int { 4 }

  /// Servers that a search has found and the loop has not printed yet: the rest waits in the link.
  static var searchAnswers: Int { 8 }

  /// The display's process is restarted after 1, 2, 4 … seconds, and at most once a minute: a display that is plugged
  /// in starts within that time, and a program that cannot run costs next to nothing.
  static var viewLongestRestSeconds: UInt64 { 60 }

  /// A display's process that has run, or been silent, for this long is healthy: its next line is printed even if
  /// repeated.
  static var viewQuietNanoseconds: UInt64 { 60_000_000_000 }

  /// How often a device that was lost is opened again: someone who puts a plug back waits that long.
  static var deviceRetryMilliseconds: UInt64 { 1000 }

  /// How long the devices may take to open, or to close after a take, before the recorder goes on without them. Slow
  /// cards take under a second, and some cameras two.
  static var deviceAnswerMilliseconds: UInt64 { 5000 }

  /// A microphone that delivers nothing for its own buffer and this long is lost.
  static var microphonePatienceMilliseconds: UInt64 { 500 }

  /// A camera that delivers nothing for so many pictures is lost, but not before a second: some hold pictures back while
  /// they adjust to the light, and opening one again takes about as long.
  static var cameraPatiencePictures: UInt64 { 5 }

  /// See ``cameraPatiencePictures``.
  static var leastCameraPatienceMilliseconds: UInt64 { 1000 }

  /// A fragment that has arrived is confirmed within this time, or the take does not grow: two flushes of a slow card take
  /// a quarter of a second, the storage worker sleeps 50 ms, and a button that is down holds it back for 300 ms.
  static var growthPatienceMilliseconds: UInt64 { 1000 }

  /// A take that fills the card within this time is warned of: enough to finish a scene and to change the card.
  static var roomWarningSeconds: UInt64 { 600 }

  /// The last warning comes so long before the card is full: enough to say a last sentence.
  static var lastRoomWarningSeconds: UInt64 { 60 }

  /// For how long a take has grown before its rate is taken for what follows: ten fragments of the usual length, so that
  /// one more or less changes the warnings by a tenth.
  static var roomMeasuringSeconds: Double { 5 }

  /// A press so soon after a take has failed was meant to end it: nobody sees the fault and reacts to it within a second.
  static var unseenFailureMilliseconds: UInt64 { 1000 }

  /// Losses of one kind within this time are one entry of the ledger: a card that fails all the time makes sixty a minute.
  static var lossRunMilliseconds: UInt64 { 1000 }

  /// How often the temperature is read. A processor's own heat comes and goes within seconds, that of its sink and its case
  /// within minutes.
  static var heatReadingMilliseconds: UInt64 { 1000 }

  /// Readings in a row that ask for a step before it is taken: two wrong ones take none, and in 3 s a processor at full
  /// load that has just reached the limit warms by a few degrees at most.
  static var heatRisingReadings: Int { 3 }

  /// Readings in a row that ask for a step back, and without a reason of the firmware before it is over: with 30 s a
  /// machine that gets hot again as soon as it works, or a supply that fails at every load, makes at most four lines a
  /// minute. A ledger of 280 lines then lasts more than an hour.
  static var heatFallingReadings: Int { 30 }

  /// A step is taken back so much below its limit: what was left out must not bring the temperature back by itself. The
  /// two limits of the default configuration are 7 °C apart.
  static var heatHysteresisMilliCelsius: Int32 { 5_000 }

  /// Readings in a row that fail before the temperature counts as unknown.
  static var heatFailures: Int { 5 }

  /// What a processor can have while it runs: beyond 125 °C, the most that silicon is specified for, it is a mistake of the
  /// sensor, and so it is below the coldest place on which somebody records.
  static var plausibleMilliCelsius: ClosedRange<Int32> { -90_000...125_000 }

  /// The system's watchdog is fed so often within its time: a late feeding costs nothing.
  static var feedingsPerTimeout: UInt64 { 3 }

  /// The shortest time after which a worker that is in one step counts as hung. Twice the stall that a card may make
  /// (``RecordSettings/stallSeconds``), and not less than this: by then what the rings could hold is lost anyway.
  static var leastPatienceSeconds: UInt32 { 30 }

  /// Beyond pre-roll and stall: the second by which a press is backdated (``TakeLimits/backdatingSeconds``), and one
  /// for the fragment that is being written when a stall begins.
  package static var ringMarginSeconds: Int { 2 }

  /// What pictures and sound wait for each other when the pictures' positions are shifted: at most a second
  /// (`[video] offset_milliseconds`).
  static var offsetSeconds: Int { 1 }

  /// Pixels per byte of an average JPEG picture: foliage and water at quality 85, the worst natural subjects, take
  /// about a quarter of a byte a pixel.
  package static var pixelsPerPictureByte: Int { 4 }

  /// How much of a take `selftest card` writes: 60 fragments, so that a stall that comes every few seconds is met.
  static var cardTestTakeSeconds: UInt64 { 30 }

  /// For how long it writes at most: somebody waits for it.
  static var cardTestSeconds: UInt64 { 20 }

  /// From one drawing of `top` or `watch` to the next. At 115,200 baud one of 107 bytes takes 9 ms, so that the answer to a
  /// key, which comes after it, is there within 20 ms.
  static var frameMilliseconds: UInt64 { 100 }

  /// Bytes of one drawing: what is redrawn in place takes 1,150 bytes a second, or half of a line that is slower than
  /// 23,000 baud, with 10 bits to a byte. 1/16 of it is left for what comes besides. A single change needs 32.
  static func frameByteCount(bitsPerSecond: UInt32) -> Int {
    let perSecond = min(1150, Int(bitsPerSecond) / 20)
    return max(perSecond * 15 / 16 * Int(frameMilliseconds) / 1000, 32)
  }

  /// Over how long `top` counts pictures and bytes.
  static var topRateMilliseconds: UInt64 { 1000 }

  /// From one question for true peaks to the next while `top` is shown.
  static var truePeakMilliseconds: UInt64 { 100 }

  /// From one warning of a clipping channel to the next: somebody turns a knob meanwhile, and the events before stay in
  /// sight.
  static var clipWarningSeconds: UInt64 { 10 }

  /// How long the LED is on after a clip: a glance notices half a second.
  static var clipLightMilliseconds: UInt64 { 500 }

  /// From one pitch of the tuner to the next: five a second, as a needle is read.
  static var tunerMilliseconds: UInt64 { 200 }

  /// How long `tuner` waits for a pitch where nobody can press a key.
  static var tunerPatienceMilliseconds: UInt64 { 5000 }

  /// How long the display shows a chord that was asked for: long enough to lay the fingers on the strings and to try.
  static var chordSeconds: UInt64 { 30 }

  /// How long a chord that is practised sounds before it is counted in: long enough to hear it, and to lay the fingers on
  /// the strings.
  static var practiceSoundMilliseconds: UInt64 { 2000 }

  /// For how long a chord is listened to: a bar, but long enough for a strum to ring, and no longer than is kept.
  static var practiceSeconds: ClosedRange<Double> { 2...3 }

  /// What the microphone delivers late, and the sample ring gets in pieces.
  static var practiceLateMilliseconds: UInt64 { 100 }

  /// From an answer to the next chord on a terminal: enough to read which note was wrong.
  static var practiceRestMilliseconds: UInt64 { 2500 }

  /// `practice` is complete when the card has the answer, or after this time.
  static var practiceKeepingMilliseconds: UInt64 { 1000 }

  /// From one look at the Hangul clock to the next: 20 pictures a second are a smooth change.
  static var hangulMilliseconds: UInt64 { 50 }

  /// Its board, and below it five rows for events.
  static var rowsForHangul: Int { 15 }

  /// A terminal that can identify itself does so in a few milliseconds; over a slow network in a few hundred.
  package static var terminalAnswerMilliseconds: UInt64 { 300 }

  /// From one picture of a live preview to the next, not counting drawing and sending.
  package static var livePreviewMilliseconds: UInt64 { 60 }

  /// Rows for events while a live preview is shown.
  package static var rowsBelowLivePreview: Int { 6 }

  /// The smallest font of a terminal with graphics that does not report its size in pixels.
  package static var leastCellWidthPixels: Int { 6 }

  /// Events are written so often at most: each time costs the card two flushes.
  static var keptEventsSeconds: UInt64 { 10 }

  /// What is typed on the console is written so often at most: each time costs the card two flushes. Of what is
  /// pasted, the last lines are lost when the program ends at once.
  static var commandLinesSeconds: UInt64 { 1 }

  /// What was changed of the configuration stays without a confirmation: time to see what it does, and to type one.
  static var confirmationSeconds: UInt64 { 60 }

  /// How long `why` shows what went wrong: time to type it.
  static var recentSeconds: UInt64 { 60 }

  /// So many ticks missed from one look to the next, of 20 ms, are a look that came too late: fewer harm nothing.
  static var lateTicks: UInt64 { exchangeMilliseconds / 5 }

  /// The mean level of what is not sound: noise of all values has -4.8 dBFS, a sine at full scale -3, and music that was
  /// made as loud as can be -8.
  static var noiseDecibels: Double { -6 }

  /// No applause lasts as long at that level.
  static var noiseSeconds: UInt64 { 10 }

  /// Nobody holds a button for longer: a long press takes 0.8 s.
  static var buttonDownSeconds: UInt64 { 10 }

  /// An accelerometer's noise is several of its units: it reads the same a few times at most, and once in 20 ms.
  static var stillAccelerometerSeconds: UInt64 { 30 }

  /// Free fall and blows are shorter.
  static var wildAccelerometerSeconds: UInt64 { 3 }

  /// At rest 1,000 are felt. A chip that is not connected reads none.
  static var leastMilliGravity: Int64 { 200 }

  /// Chips are set to 2 g on each axis, which is 3,464 along the diagonal.
  static var mostMilliGravity: Int64 { 3_500 }

  /// What plays is heard each 20 ms, and a seek in a large file takes a second.
  static var playerStandsSeconds: UInt64 { 3 }

  /// See ``leastCellWidthPixels``.
  package static var leastCellHeightPixels: Int { 12 }
}
