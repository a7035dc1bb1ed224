import Base
import Machine

/// What `--help` prints.
enum HelpText {
  static func print(version: StaticString) {
    say("\(version): records sound and pictures, safely, at the press of a button")
    say("")
    say("usage: fieldcorder [OPTION]...")
    say("  --board sim|linux       the simulated board, or this machine's devices (linux)")
    say("  --config FILE           the configuration (/etc/fieldcorder.conf, where there is one)")
    say("  --data DIR              where takes go (/var/lib/fieldcorder; data on the simulated board)")
    say("  --console stdio|DEVICE  the console: standard input and output, or a serial device (stdio)")
    say("  --script FILE           read console commands from a file, and quit at its end")
    say("  --clock real|fast       on the simulated board, fast jumps from event to event (real)")
    say("  --seed N                random seed of the simulated board (0)")
    say("  --allow-inject          let the console press buttons and turn the device")
    say("  --preview               on a terminal, begin with the camera's picture")
    say("  --help, --version       print this, or the version")
    say("")
    say("On the console, help lists the commands.")
  }

  private static func say(_ line: FixedText<128>) { StandardStreams.say(line, in: systemLanguage()) }
}
