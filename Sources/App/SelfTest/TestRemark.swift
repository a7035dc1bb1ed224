/// Why a device is not well, and what to do.
struct TestRemark {
  let text: StaticString
  let remedy: StaticString

  init(_ text: StaticString, _ remedy: StaticString) {
    self.text = text
    self.remedy = remedy
  }

  /// In the words of `why`.
  init(_ cause: Cause) { self.init(cause.text, cause.remedy) }

  static var buttonHeld: TestRemark {
    TestRemark("it was down all the time", "release it, or look for a short circuit in its wires")
  }
  static var buttonPressed: TestRemark {
    TestRemark("it was down for a while", "test again with no hand on the buttons")
  }
  static var ledsFollow: TestRemark {
    TestRemark("their lines respond", "each was lit for half a second; only you can see whether it shone")
  }
  static var ledsUnread: TestRemark {
    TestRemark("their lines cannot be read", "each was lit for half a second; did both shine?")
  }
  static var lightStuck: TestRemark {
    TestRemark("a line does not respond", "look for a short circuit in its wires")
  }
  static var noLEDs: TestRemark { TestRemark("none is wired", "set the lines in [leds]") }
  static var offGravity: TestRemark {
    TestRemark("it does not read 1 g", "check its supply; rotate fixes the orientation")
  }
  static var nearGravity: TestRemark {
    TestRemark("its reading of 1 g is inaccurate", "orientations still work; check its supply")
  }
  static var moved: TestRemark { TestRemark("it was moved", "lay it still, and test again") }
  static var stuck: TestRemark { TestRemark("its reading never changes", "check its wires and its supply") }
  static var closed: TestRemark {
    TestRemark("it is opened at the press", "set [record] arm = boot, or test it with a take")
  }
  static var notWanted: TestRemark { TestRemark("it is turned off", "the configuration sets that") }
  static var tooSlow: TestRemark {
    TestRemark("it sends too few frames", "add light, or lower [video] frame_rate or preset")
  }
  static var slow: TestRemark { TestRemark("it skips frames", "add light, or use another port") }
  static var tooFast: TestRemark { TestRemark("it sends more frames than agreed", "set [video] frame_rate") }
  static var leftOut: TestRemark { TestRemark("every second frame is left out", "improve its airflow, or shade it") }
  static var tooLittleSound: TestRemark {
    TestRemark("it sent too little to judge", "test again in a moment")
  }
  static var deadChannel: TestRemark {
    TestRemark("a channel sends a constant value", "check its cable or switch")
  }
  static var identical: TestRemark {
    TestRemark("two channels are the same", "set [audio] channels = 1, or check the cable")
  }
  static var largeOffset: TestRemark {
    TestRemark("its DC offset is large", "use another input or sound card")
  }
  static var offset: TestRemark {
    TestRemark("it has a DC offset", "it hardly matters; another card may do better")
  }
  static var loud: TestRemark {
    TestRemark("it is loud all the time", "test where it is quiet, or lower its level; gain sets it")
  }
  static var clips: TestRemark { TestRemark("it clips", "lower its level; gain sets it") }
  static var heapUsed: TestRemark {
    TestRemark("the heap was used after the start", "please report this bug")
  }
  static var notLocked: TestRemark {
    TestRemark("it is not locked, and may be swapped out", "start it by its service, or raise the limit memlock")
  }
  static var unknownMemory: TestRemark {
    TestRemark("the system does not report what is locked", "test again in a moment")
  }
  static var noSpeaker: TestRemark { TestRemark("none is configured", "set [speaker] device") }
  static var filePlays: TestRemark { TestRemark("a file is playing", "type stop, and test again") }
  static var noEar: TestRemark { TestRemark("there is no microphone to hear it", "plug one in, and test again") }
  static var deafSpeaker: TestRemark {
    TestRemark("it accepts no sound", "check its cable, and test again")
  }
  static var unheard: TestRemark {
    TestRemark("the microphone does not hear it", "raise volume and the speaker's own; check its cable")
  }
  static var faint: TestRemark {
    TestRemark("the microphone hardly hears it", "raise volume, or test where it is quiet")
  }
  static var slowCard: TestRemark { TestRemark("takes would have gaps", "use another card, or lower [video] preset") }
  static var tightCard: TestRemark {
    TestRemark("takes just fit", "use another card, or lower [video] preset, to be safe")
  }
  static var hangingCard: TestRemark {
    TestRemark("it stalled for as long as is bridged", "use another card")
  }
}
