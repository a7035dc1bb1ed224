import Machine
import Wire

/// Why the recorder does not do what somebody expects of it; the worst causes come first.
enum Cause: UInt8 {
  case takeFailed
  case nothingToRecordFrom
  case powerFailing
  case emptyBattery
  case cardStuck
  case cardFull
  case fallenBack
  case noMicrophone
  case otherSound
  case noSound
  case noCamera
  case otherPictures
  case blackPicture
  case frozenPicture
  case brokenPictures
  case clipping
  case loudSound
  case surplusSound
  case lostSound
  case droppedPictures
  case skippedPictures
  case lossesInTake
  case noButtons
  case buttonDown
  case noFallback
  case lowBattery
  case underVoltage
  case halfThePictures
  case encoderFailed
  case scaledPictures
  case noSpeaker
  case playerStands
  case speakerDry
  case clockBehind
  case clockUnset
  case noAccelerometer
  case stillAccelerometer
  case wildAccelerometer
  case noThermometer
  case noBattery
  case noReceiver
  case silentReceiver
  case wildReceiver
  case noLiveView
  case throttled
  case slowConsole
  case lateLoop
  // The causes from here on are not faults.
  case noVolume
  case withoutSpeaker
  case withoutAccelerometer
  case clockAlone
  case opening
  case finishing
  case openedAtPress
  case asleep
  case listening
  case awaitsWindow
  case notPressed
  case notPressedAgain

  /// Whether it is a fault rather than somebody's choice.
  var isWrong: Bool { rawValue < Cause.noVolume.rawValue }

  /// The cause of the fault that the display warns of.
  init(_ fault: ViewFault, isHot: Bool) {
    self =
      switch fault {
      case .noMicrophone: .noMicrophone
      case .noCamera: .noCamera
      case .cardFull: .cardFull
      case .takeFailed: .takeFailed
      case .losses: .lossesInTake
      case .cardStuck: .cardStuck
      case .noSound: .noSound
      case .clipping: .clipping
      case .blackPicture: .blackPicture
      case .frozenPicture: .frozenPicture
      case .tooHot: isHot ? .halfThePictures : .noLiveView
      case .underVoltage: .underVoltage
      case .lowBattery: .lowBattery
      }
  }

  /// The device whose newest failure gives the details.
  var device: Device? {
    switch self {
    case .takeFailed, .fallenBack: .storage
    case .noMicrophone: .microphone
    case .noCamera: .camera
    case .noButtons: .buttons
    case .encoderFailed: .encoder
    case .noSpeaker, .withoutSpeaker: .speaker
    case .noAccelerometer, .withoutAccelerometer: .accelerometer
    case .noThermometer: .thermometer
    case .noBattery: .battery
    case .noReceiver: .receiver
    default: nil
    }
  }

  /// The symptom that somebody notices.
  var symptom: Symptom {
    switch self {
    case .nothingToRecordFrom, .opening, .openedAtPress, .asleep: .notArmed
    case .takeFailed, .powerFailing, .emptyBattery, .cardStuck, .cardFull, .noButtons, .buttonDown, .finishing,
      .listening, .awaitsWindow, .notPressed, .notPressedAgain:
      .notRecording
    case .noMicrophone, .otherSound, .noSound: .silent
    case .noCamera, .otherPictures, .blackPicture, .frozenPicture, .brokenPictures, .noLiveView: .dark
    case .noSpeaker, .playerStands, .speakerDry, .noVolume, .withoutSpeaker: .unheard
    case .clockBehind, .clockUnset, .clockAlone: .unsynchronised
    case .clipping, .loudSound, .surplusSound, .lostSound, .droppedPictures, .skippedPictures, .lossesInTake,
      .halfThePictures:
      .damaged
    case .fallenBack, .noFallback, .lowBattery, .underVoltage, .encoderFailed, .scaledPictures, .noAccelerometer,
      .stillAccelerometer, .wildAccelerometer, .withoutAccelerometer, .noThermometer, .noBattery, .noReceiver,
      .silentReceiver, .wildReceiver, .throttled, .slowConsole, .lateLoop:
      .hindered
    }
  }

  /// At most 49 columns: `status` prints it beside a label and a count.
  var text: StaticString {
    switch self {
    case .takeFailed: "the last take could not be saved"
    case .nothingToRecordFrom: "there is neither a microphone nor a camera"
    case .powerFailing: "the power is failing"
    case .cardStuck: "the card accepts no data"
    case .cardFull: "the card has no room for a take"
    case .fallenBack: "takes go into the fallback folder"
    case .noMicrophone: "the microphone is missing"
    case .otherSound: "the microphone is back with another format"
    case .noSound: "the microphone sends a constant value"
    case .noCamera: "the camera is missing"
    case .otherPictures: "the camera is back with frames that do not fit"
    case .blackPicture: "the camera sends black frames"
    case .frozenPicture: "the camera repeats the same frame"
    case .brokenPictures: "the camera sends corrupt frames"
    case .clipping: "the microphone clips constantly"
    case .loudSound: "the microphone sends constant loud noise"
    case .surplusSound: "the microphone sends sound twice"
    case .lostSound: "sound is lost"
    case .droppedPictures: "frames are lost: the rings are full"
    case .skippedPictures: "the camera skips frames"
    case .lossesInTake: "the newest take has gaps"
    case .noButtons: "the buttons cannot be read"
    case .buttonDown: "a button has been down for 10 s"
    case .noFallback: "the fallback folder cannot be used"
    case .emptyBattery: "the battery is nearly empty"
    case .lowBattery: "the battery is low"
    case .underVoltage: "the supply is too weak"
    case .halfThePictures: "too hot: every second frame is left out"
    case .encoderFailed: "the encoder has failed: frames are JPEGs"
    case .scaledPictures: "the camera is back with another size: it is scaled"
    case .noSpeaker: "the speaker is missing"
    case .playerStands: "playback is stuck"
    case .speakerDry: "the speaker's buffer runs empty"
    case .clockBehind: "the clock is behind the newest take"
    case .clockUnset: "the clock has not been set"
    case .noAccelerometer: "the accelerometer cannot be read"
    case .stillAccelerometer: "the accelerometer's reading never changes"
    case .wildAccelerometer: "accelerometer readings are implausible"
    case .noThermometer: "the thermometer cannot be read"
    case .noBattery: "the battery's gauge cannot be read"
    case .noReceiver: "the receiver cannot be read"
    case .silentReceiver: "the receiver sends no whole sentence"
    case .wildReceiver: "the receiver tells what cannot be"
    case .noLiveView: "too hot: the live view is off"
    case .throttled: "the firmware throttles the processor"
    case .slowConsole: "the console was too slow: lines were lost"
    case .lateLoop: "the loop wakes too late"
    case .noVolume: "the volume is 0"
    case .withoutSpeaker: "no speaker was found"
    case .withoutAccelerometer: "no accelerometer was found at the start"
    case .clockAlone: "no time server sets the clock"
    case .opening: "microphone and camera are being opened"
    case .finishing: "the last take is being finished"
    case .openedAtPress: "devices are opened at the press, as configured"
    case .asleep: "it sleeps until the next window"
    case .listening: "a trigger waits for what begins a take"
    case .awaitsWindow: "the schedule waits for its next window"
    case .notPressed: "record has not been pressed"
    case .notPressedAgain: "record has not been pressed since the last take"
    }
  }

  /// At most 64 columns.
  var remedy: StaticString {
    switch self {
    case .takeFailed: "press record to try again; selftest card tests the card"
    case .nothingToRecordFrom: "plug one in, then press record"
    case .powerFailing: "connect the supply: takes begin again once it is back"
    case .cardStuck: "wait; if that lasts, use another card: selftest card tests it"
    case .cardFull: "delete takes, or use a larger card"
    case .fallenBack: "use another card, and copy the takes from the folder"
    case .noMicrophone, .noCamera, .noSpeaker: "plug it in, and check its cable"
    case .otherSound, .otherPictures: "plug in the one that was there, or restart the recorder"
    case .noSound: "check its cable or switch"
    case .blackPicture: "take off its cap, or check its sensor"
    case .frozenPicture: "unplug it and plug it in again"
    case .brokenPictures: "check its cable, or use another port or camera"
    case .clipping: "lower its level"
    case .loudSound: "check its cable, or lower its level"
    case .surplusSound: "unplug it and plug it in again, or use another one"
    case .lostSound: "timing shows whether the loop is late; if not, check its cable"
    case .droppedPictures: "selftest card tests the card; lower [video] preset"
    case .skippedPictures: "use another port, or lower [video] frame_rate or preset"
    case .lossesInTake: "its ledger shows where; the next take starts clean"
    case .noButtons: "check the wires, and [buttons] chip; record start works too"
    case .buttonDown: "release it, or look for a short circuit in its wires"
    case .noFallback: "check its disk and its permissions, or set [storage] fallback"
    case .emptyBattery: "charge or change it: takes begin again once it has recovered"
    case .lowBattery: "charge or change it soon"
    case .underVoltage: "use a stronger supply, or a shorter cable"
    case .halfThePictures, .noLiveView: "improve its airflow, or shade it"
    case .encoderFailed, .scaledPictures: "restart the recorder after the take"
    case .playerStands: "check the speaker's cable, or the stream's server; play again"
    case .speakerDry: "timing shows whether the loop is late; raise [speaker] buffer"
    case .clockBehind, .clockUnset: "connect a network, or type clock set 2026-11-22T12:30"
    case .noAccelerometer: "check its wires; rotate fixes the orientation meanwhile"
    case .stillAccelerometer, .wildAccelerometer: "check its wires and its supply; rotate fixes the orientation"
    case .noBattery, .noReceiver: "check its wires; takes go on without it"
    case .silentReceiver: "check its wires, and [gps] baud; takes go on without it"
    case .wildReceiver: "check its wires and antenna; gps counts what is not believed"
    case .noThermometer: "heat protection is off until it can be read"
    case .throttled: "improve its airflow, and use a stronger supply"
    case .slowConsole: "events prints them again; raise [console] baud"
    case .lateLoop: "timing shows how late; end other programs"
    case .noVolume: "volume 1.0 sets it"
    case .withoutSpeaker: "plug one in; the next playback looks for it again"
    case .withoutAccelerometer: "wire one, or set [accelerometer] bus = none"
    case .clockAlone: "connect a network; until then clock set sets it"
    case .opening: "wait; devices that do not open are skipped"
    case .finishing: "wait; a press of record begins the next one at once"
    case .openedAtPress: "press record; [record] arm = boot keeps them open"
    case .asleep: "press record to wake it; sleep tells until when"
    case .listening: "press record to begin one now; trigger tells what it waits for"
    case .awaitsWindow: "press record to begin one now; schedule tells when it opens"
    case .notPressed, .notPressedAgain: "press record; if nothing happens, check the buttons' wires"
    }
  }
}

/// A symptom that somebody notices.
enum Symptom {
  case notArmed
  case notRecording
  /// The microphone's sound is not recorded.
  case silent
  /// There is no camera picture.
  case dark
  /// The speaker is silent.
  case unheard
  case unsynchronised
  /// The recording has gaps or is wrong.
  case damaged
  /// It works, but not as it should.
  case hindered
  /// What would spoil a deployment.
  case deployment

  /// The name in machine-readable output.
  var name: StaticString {
    switch self {
    case .notArmed: "not armed"
    case .notRecording: "not recording"
    case .silent: "silent"
    case .dark: "dark"
    case .unheard: "unheard"
    case .unsynchronised: "unsynchronised"
    case .damaged: "damaged"
    case .hindered: "hindered"
    case .deployment: "deployment"
    }
  }
}
