import Base
import Configuration
import Foundation
import TestSupport
import Testing

@Suite struct SettingsTests {
  private let file = ScratchFile()

  @Test("An empty file means the documented defaults")
  func hasDefaults() throws {
    #expect(try file.load("") == Settings())
    #expect(
      Settings().lines == [
        "[record]", "arm = boot", "what = video", "audio_format = wav", "loudness = no", "names = dated",
        "name_prefix = none", "name_time = utc", "preroll_seconds = 5", "stall_seconds = 10",
        "split_bytes = 0", "split_seconds = 0", "split_on_rotate = no",
        "interval_seconds = 0", "interval_frame_rate = 25", "resume = yes", "fragment_milliseconds = 500",
        "[storage]", "fallback = none", "reserve_bytes = 64000000",
        "[identity]", "copy = auto",
        "[audio]", "device = default", "sample_rate = 48000", "channels = 2", "format = auto",
        "buffer_milliseconds = 500", "gain_db = unchanged",
        "stitch_db = off", "low_cut_hz = off", "digital_gain_db = 0", "limiter_dbfs = off", "safety_db = off",
        "[speaker]", "device = default", "sample_rate = 48000", "channels = 2", "format = auto",
        "buffer_milliseconds = 200",
        "[video]", "device = /dev/video0", "preset = best", "width = preset", "height = preset", "frame_rate = 30",
        "offset_milliseconds = 0",
        "format = auto",
        "quality = 85", "encoders = auto", "codec = auto", "encoder_device = /dev/video11", "bit_rate = 10000000",
        "keyframe_seconds = 1",
        "[zoom]", "maximum = 16", "rate = 3", "easing = linear",
        "[view]", "device = auto", "scaling = fit", "mounting = standing", "font = auto", "x = 0", "y = 0", "width = 0",
        "height = 0",
        "motion_milliseconds = 150", "motion_easing = cubic-out",
        "[monitor]", "socket = none", "address = 127.0.0.1", "port = 8040", "token = none", "certificate = none",
        "key = none", "connections = 40", "connections_per_address = 8", "snapcast_port = none",
        "snapcast_address = 127.0.0.1", "snapcast_buffer_milliseconds = 1000", "snapcast_clients = 8",
        "source = microphone", "icecast = none", "icecast_password = none",
        "[photo]", "quality = 95",
        "[player]", "volume = 1", "queue_capacity = 500", "fade_milliseconds = 20", "fade_easing = linear",
        "[stream]", "socket = none",
        "[tone]", "frequency_hz = 880", "standby_hz = 523.25", "level_dbfs = -18",
        "[library]", "capacity = 10000", "rescan_seconds = 15", "other_devices = no",
        "[retention]", "days = 0", "only_copied = no", "min_free_bytes = 0",
        "[buttons]", "chip = /dev/gpiochip0", "prepare = 5", "play = 6", "stop = 13", "record = 26", "zoom = 16",
        "rotate = 25", "active_low = yes", "debounce_milliseconds = 20",
        "[power]", "line = none", "active_low = yes", "gauge_bus = /dev/i2c-1", "shunt_milliohms = 100", "adc = none",
        "adc_divider = 1", "cells = 0", "ampere_hours = none", "warn_volts = none", "finish_volts = none",
        "finish = stop", "cpu = unchanged", "hdmi = unchanged", "board_leds = unchanged",
        "wifi = unchanged", "usb = unchanged",
        "[heat]", "warm_celsius = 75", "hot_celsius = 82",
        "[leds]", "chip = /dev/gpiochip0", "record = 23", "fault = 24",
        "[accelerometer]", "bus = /dev/i2c-1", "poll_milliseconds = 100",
        "[clock]", "utc_offset = +00:00", "hours = 12", "meridiem = yes", "brightness = 100", "unlit_brightness = 15",
        "animation_milliseconds = 600", "animation_easing = sine-in-out",
        "[gps]", "device = none", "baud = 9600", "set_clock = no",
        "[schedule]", "rule1 = none", "rule2 = none", "rule3 = none", "rule4 = none", "rule5 = none", "rule6 = none",
        "quiet = none", "latitude = none", "longitude = none", "unset_clock = 60/300",
        "sleep = off", "sleep_board = rtc", "sleep_after_seconds = 60", "wake_before_seconds = 30",
        "[trigger]", "on = off", "bands = none", "start_db = -40", "stop_db = -46",
        "motion_start_percent = 3", "motion_stop_percent = 1.5", "motion_sensitivity = 12", "motion_zones = all",
        "hold_seconds = 3",
        "longest_seconds = 300", "rearm_seconds = 0", "when = always",
        "[timecode]", "input = off", "rate = auto", "jam = asked", "record = off", "send = no",
        "[console]", "baud = 115200", "language = auto",
        "[loop]", "tick_milliseconds = 5", "priority = 80",
        "[sim]", "microphone_ppm = 0", "camera_ppm = 0", "speaker_ppm = 0", "speaker_file = none",
        "echo_db = none", "echo_milliseconds = 5",
        "largest_picture = any", "huffman_tables = yes", "motion_period_seconds = 0", "fault_period_seconds = 0",
        "clock = right", "clock_set_seconds = 0", "start_seconds = 1767225600", "temperature_celsius = 45",
        "throttled = 0",
        "battery = none", "battery_volts = 3.9", "battery_fall = 0", "battery_amperes = 0.4", "gps = none",
        "sysfs = none",
      ])
  }

  @Test("Each kind of value reaches its setting")
  func reads() throws {
    let settings = try file.load(
      """
      ; comments begin with either sign
      # like this
      [record]
      arm=press
      what = audio   ; as sound alone
      \taudio_format = caf # it has no limit; neither has flac
        split_bytes = 3G\t# a disc has 4
      [audio]\r
      format = s24\r
      device = plughw:CARD=Mic,DEV=0
      [video]
      format = nv12
      [buttons]
      zoom = none
      active_low = no
      [accelerometer]
      bus = none
      [record]
      preroll_seconds = 0
      [sim]
      microphone_ppm = -120
      """)
    #expect(settings.record.arming == .atPress)
    #expect(settings.record.content == .audio)
    #expect(settings.record.audioContainer == .caf)
    #expect(settings.record.split.byteCount == 3 << 30)
    #expect(settings.audio.sampleFormat == .int24)
    #expect(String(settings.audio.deviceName) == "plughw:CARD=Mic,DEV=0")
    #expect(settings.video.pixelFormat == .nv12)
    #expect(settings.buttons.zoomOffset == nil)
    #expect(!settings.buttons.isActiveLow)
    #expect(settings.accelerometer.busName == nil)
    #expect(settings.record.prerollSeconds == 0)
    #expect(settings.simulation.microphonePartsPerMillion == -120)
  }

  @Test("A byte order mark and lines without an end are taken")
  func readsBytesFromElsewhere() throws {
    #expect(try file.load("\u{FEFF}[loop]\npriority = 0").loop.priority == 0)
  }

  @Test("Lines may end as on any system", arguments: ["\n", "\r\n", "\r"])
  func readsAllLineEnds(end: String) throws {
    let lines = [
      "[record] # a comment", "", "# another", "preroll_seconds = 3", "[loop]\t; a third", "priority = 7", "",
    ]
    for count in [lines.count, lines.count - 1] {
      let settings = try file.load(lines.prefix(count).joined(separator: end))
      #expect(settings.record.prerollSeconds == 3 && settings.loop.priority == 7)
    }
  }

  @Test(
    "A number at the edge of its range is taken, and one beyond is refused",
    arguments: [
      ("record", "preroll_seconds", ["0", "60"], ["61", "-1", "", "5.0", "five", "4294967296"]),
      ("record", "stall_seconds", ["1", "60"], ["0", "61"]),
      (
        "record", "split_bytes", ["0", "1M", "1048576", "1024K", "1G", "1024G"],
        ["1", "1048575", "1023K", "1025G", "M", "1m", "1MB", "-1M"]
      ),
      ("record", "split_seconds", ["0", "5", "86400"], ["1", "4", "86401"]),
      ("record", "fragment_milliseconds", ["200", "1000"], ["199", "1001", "0"]),
      ("audio", "sample_rate", ["8000", "192000"], ["7999", "192001"]),
      ("audio", "channels", ["1", "8"], ["0", "9"]),
      ("audio", "format", ["auto", "s16", "s24", "float"], ["S16", "s32", "int24"]),
      ("audio", "buffer_milliseconds", ["50", "2000"], ["49", "2001"]),
      ("audio", "gain_db", ["unchanged", "-100", "12.04", "100"], ["-100.1", "101", "loud", "12 dB"]),
      ("audio", "stitch_db", ["off", "6", "60"], ["5", "61", "yes"]),
      ("audio", "low_cut_hz", ["off", "10", "1000"], ["9", "1001", "80 Hz"]),
      ("audio", "digital_gain_db", ["-60", "0", "20.5", "60"], ["61", "off"]),
      ("audio", "safety_db", ["off", "-60", "-3"], ["-2", "0", "20"]),
      (
        "audio", "device", [String(repeating: "d", count: 63), "hw:1,0"],
        [String(repeating: "d", count: 64), "a b", "", ";x"]
      ),
      ("speaker", "device", ["none", "plughw:1,0"], ["", "a b"]),
      ("retention", "days", ["0", "1", "36500"], ["-1", "36501", "off", "1.5"]),
      ("retention", "only_copied", ["yes", "no"], ["1", "true"]),
      ("retention", "min_free_bytes", ["0", "1M", "1024G"], ["1", "1025G", "10%"]),
      (
        "clock", "utc_offset",
        ["+09:00", "-03:30", "Z", "+00:00", "-23:59", "Asia/Seoul", "America/Argentina/ComodRivadavia", "Etc/GMT+9"],
        [
          "9", "+9:00", "+0900", "+24:00", "+09:60", "09:00", "z", "+-9:00", "",
          "../../etc/passwd", "Asia/../Europe/Rome", "/etc/localtime", "Asia//Seoul", "Asia/", "Asia/Seoul/",
          "asia/Seoul", "Asia/S\u{E9}oul", "A.B", "A:B",
          String(repeating: "A", count: 41),
        ]
      ),
      ("clock", "hours", ["12", "24"], ["0", "13", ""]),
      ("clock", "meridiem", ["yes", "no"], ["on", ""]),
      ("clock", "brightness", ["20", "100"], ["19", "101"]),
      ("clock", "unlit_brightness", ["0", "50"], ["51", "-1"]),
      ("clock", "animation_milliseconds", ["0", "5000"], ["5001", "-1"]),
      ("clock", "animation_easing", ["linear", "bounce-out"], ["bounce", ""]),
      (
        "schedule", "rule1",
        ["none", "04:30-06:00 mon-fri", "22:00..04:00 60/300 sat,sun 2026-03-01..2026-06-30", "00:00-24:00"],
        ["", "4:30-06:00", "04:30", "04:30-06:00 xyz", "always", "04:30-04:30"]
      ),
      ("gps", "device", ["none", "/dev/ttyAMA1"], ["", "a b"]),
      ("gps", "baud", ["4800", "115200"], ["9601", "0"]),
      ("gps", "set_clock", ["yes", "no"], ["on", ""]),
      ("sim", "gps", ["none", "fixed", "nonsense", "jumping", "silent"], ["lost", ""]),
      ("schedule", "quiet", ["none", "12:00-14:00 sat,sun"], ["12:00-14:00 60/300", "12:00"]),
      ("schedule", "latitude", ["none", "-90", "37.567", "37.5665351"], ["90.1", "37.56653512", "north"]),
      ("schedule", "longitude", ["none", "180", "-179.9999999"], ["-181"]),
      ("schedule", "unset_clock", ["always", "never", "60/300"], ["60", "300/60", "none", "1/300"]),
      ("schedule", "sleep", ["off", "idle", "suspend", "poweroff"], ["on", "mem", ""]),
      ("schedule", "sleep_board", ["rtc", "wittypi", "pijuice", "sleepypi", "own"], ["none", "../rtc"]),
      ("schedule", "sleep_after_seconds", ["5", "3600"], ["4", "3601"]),
      ("schedule", "wake_before_seconds", ["5", "3600"], ["0", "3601"]),
      ("trigger", "on", ["off"], ["on", "loud", "", "motion+level"]),
      ("trigger", "motion_start_percent", ["1.5", "100"], ["0.4", "101"]),
      ("trigger", "motion_stop_percent", ["0.5", "3"], ["0", "moving"]),
      ("trigger", "motion_sensitivity", ["1", "255"], ["0", "256"]),
      (
        "trigger", "motion_zones", ["all", "50x40+0+60", "1x1+99+99, 100x100+0+0", "1x1+0+0,1x1+1+1,1x1+2+2,1x1+3+3"],
        [
          "", "50x40", "51x10+50+0", "10x51+0+50", "0x10+0+0", "10x0+0+0", "50x40+0+60,", "a", "50+40x0x60",
          "1x1+0+0,1x1+1+1,1x1+2+2,1x1+3+3,1x1+4+4",
        ]
      ),
      ("record", "interval_seconds", ["0", "0.5", "1", "2.5", "86400"], ["0.3", "0.25", "-1", "86400.5"]),
      ("record", "interval_frame_rate", ["1", "120"], ["0", "121"]),
      ("sim", "motion_period_seconds", ["0", "3", "86400"], ["2", "86401"]),
      (
        "trigger", "bands", ["none", "2000-5000", "2000-5000, 18000-23000", "10-20,30-40,50-60,70-80"],
        ["", "5000-2000", "2000", "9-20", "1-2-3", "10-20,", "10-20,30-40,50-60,70-80,90-100", "2000-96001"]
      ),
      ("trigger", "start_db", ["-46", "0"], ["-121", "1"]),
      ("trigger", "stop_db", ["-120", "-40"], ["-121", "quiet"]),
      ("trigger", "hold_seconds", ["0.2", "3600"], ["0.1", "3601"]),
      ("trigger", "longest_seconds", ["0", "1", "86400"], ["86401", "1.5"]),
      ("trigger", "rearm_seconds", ["0", "86400"], ["-1", "86401"]),
      ("trigger", "when", ["always", "scheduled"], ["never"]),
      ("timecode", "input", ["off", "1", "2"], ["0", "9", "left"]),
      ("timecode", "rate", ["auto", "23.976", "24", "25", "29.97", "29.97-drop", "30", "30-drop"], ["29", "off"]),
      ("timecode", "jam", ["asked", "always"], ["never", "yes"]),
      ("timecode", "record", ["off"], ["on", "yes"]),
      ("timecode", "send", ["yes", "no"], ["on", "25"]),
      ("heat", "warm_celsius", ["40", "81"], ["39", "121", "75.5", "none"]),
      ("heat", "hot_celsius", ["76", "120"], ["39", "121", "hot"]),
      ("power", "cpu", ["unchanged", "powersave", "schedutil", "performance"], ["off", "userspace", ""]),
      ("power", "gauge_bus", ["none", "/dev/i2c-3"], ["", "a b"]),
      ("power", "shunt_milliohms", ["0.1", "2.5", "10000"], ["0", "10001", "none", "1.23456789"]),
      ("power", "adc", ["none", "/sys/bus/iio/devices/iio:device0/in_voltage0_raw"], [""]),
      ("power", "cells", ["0", "1", "8"], ["9", "-1", "none"]),
      ("power", "ampere_hours", ["none", "0.01", "1000"], ["0", "1001", ""]),
      ("power", "finish_volts", ["none", "2", "3.3", "60"], ["0", "1.9", "60.1", ""]),
      ("power", "finish", ["stop", "off"], ["sleep", ""]),
      ("sim", "battery", ["none", "max17048", "ina226", "ina219"], ["lipo", ""]),
      ("power", "hdmi", ["unchanged", "off"], ["on", "none", ""]),
      ("power", "usb", ["unchanged", "off"], ["auto", ""]),
      ("sim", "temperature_celsius", ["none", "-40", "125"], ["-41", "126", ""]),
      ("sim", "throttled", ["0", "1", "15"], ["16", "-1", "0x5"]),
      ("sim", "clock", ["right", "1970", "stale", "jumping"], ["wrong", ""]),
      ("speaker", "buffer_milliseconds", ["40", "2000"], ["39", "2001"]),
      ("video", "preset", ["480p", "720p", "1080p", "auto", "best"], ["576p", "1080", "1080P"]),
      ("video", "width", ["preset"], ["15", "14", "17", "4097", "4098"]),
      ("video", "height", ["preset"], ["641", "0"]),
      ("video", "frame_rate", ["1", "120"], ["0", "121", "29.97"]),
      ("video", "offset_milliseconds", ["-1000", "-1", "0", "1000"], ["-1001", "1001", "1.5", ""]),
      ("video", "encoders", ["auto", "1", "4"], ["0", "5", "none"]),
      ("video", "quality", ["1", "100"], ["0", "101"]),
      ("view", "device", ["auto", "none", "/dev/dri/card1"], ["", "a b"]),
      ("view", "scaling", ["fit", "fill"], ["stretch", ""]),
      ("view", "mounting", ["standing", "built-in"], ["hanging", ""]),
      ("view", "font", ["auto", "/usr/share/fonts/a.ttf"], ["", "a b", "a;b"]),
      ("video", "codec", ["auto", "mjpeg", "h264", "fwht"], ["h265", "none", "H264"]),
      ("video", "bit_rate", ["100000", "100000000"], ["99999", "100000001", "1e7"]),
      ("video", "keyframe_seconds", ["0.1", "0.5", "2"], ["0", "2.001", "nan"]),
      ("zoom", "maximum", ["1", "2.5", "16"], ["0.999", "16.1", "nan", "inf", "-2"]),
      ("zoom", "rate", ["0.1", "50"], ["0", "0.09", "50.1"]),
      (
        "zoom", "easing", ["linear", "sine-in", "bounce-in-out", "elastic-out"],
        ["sine", "linear-in", "sine-out-in", ""]
      ),
      (
        "player", "volume", ["0", "0.5", ".125", "1", "1.000"],
        ["1.001", "-0.1", "0.12345678", "1e0", "nan", "inf", "0x1"]
      ),
      ("player", "fade_milliseconds", ["1", "10000"], ["0", "10001", "2.5"]),
      ("view", "motion_milliseconds", ["0", "10000"], ["10001", "-1"]),
      ("monitor", "socket", ["none", "/run/fieldcorder-monitor.socket"], ["", "a b"]),
      ("monitor", "address", ["::1", "0.0.0.0"], [""]),
      ("monitor", "port", ["1", "65535"], ["0", "65536", "http"]),
      ("monitor", "connections", ["1", "64"], ["0", "65"]),
      ("monitor", "connections_per_address", ["1", "64"], ["0", "65"]),
      ("monitor", "snapcast_port", ["none", "1704"], ["0", "65536"]),
      ("monitor", "snapcast_address", ["::1", "0.0.0.0"], [""]),
      ("monitor", "snapcast_buffer_milliseconds", ["100", "10000"], ["99", "10001"]),
      ("monitor", "snapcast_clients", ["1", "16"], ["0", "17"]),
      ("monitor", "source", ["microphone", "/var/lib/fieldcorder/music/a.mp3"], ["", "a b"]),
      ("monitor", "icecast", ["none", "http://archive:8000/field.opus"], ["", "a b"]),
      ("player", "queue_capacity", ["10", "5000"], ["9", "5001", "10.0"]),
      ("tone", "frequency_hz", ["20", "20.0", "20000"], ["19.999", "20000.001", "a"]),
      ("tone", "standby_hz", ["523.251"], ["523.25112345", "-880"]),
      ("tone", "level_dbfs", ["-90", "-0.1", "0"], ["-90.1", "0.001", "18"]),
      ("buttons", "stop", ["0", "1023", "none"], ["1024", "-1", "off"]),
      ("buttons", "active_low", ["yes", "no"], ["true", "1", "Yes"]),
      ("buttons", "debounce_milliseconds", ["5", "100"], ["4", "101"]),
      ("accelerometer", "bus", ["none", "/dev/i2c-0"], [""]),
      ("accelerometer", "poll_milliseconds", ["10", "1000"], ["9", "1001"]),
      ("console", "baud", ["1200", "9600", "921600"], ["9601", "0", "fast"]),
      ("console", "language", ["auto", "en", "ko"], ["", "de", "korean"]),
      ("library", "capacity", ["100", "100000"], ["99", "0", "100001"]),
      ("library", "rescan_seconds", ["0", "1", "86400"], ["-1", "86401"]),
      ("library", "other_devices", ["yes", "no"], ["1", ""]),
      ("loop", "tick_milliseconds", ["1", "20"], ["0", "21"]),
      ("loop", "priority", ["0", "1", "99"], ["100", "-1"]),
      ("sim", "camera_ppm", ["-500", "0", "500"], ["-501", "501", "+1"]),
      ("sim", "speaker_ppm", ["-500", "500"], ["-501", "501"]),
      ("sim", "huffman_tables", ["yes", "no"], ["none", ""]),
      ("sim", "echo_db", ["none", "0", "-60", "-12.5"], ["1", "-61", ""]),
      ("sim", "echo_milliseconds", ["0", "500"], ["-1", "501"]),
      ("sim", "speaker_file", ["none", "heard.raw", "/tmp/heard.raw"], ["", "a b"]),
    ])
  func keepsToRanges(section: String, key: String, taken: [String], refused: [String]) throws {
    for value in taken { #expect(try file.refusal(of: "[\(section)]\n\(key) = \(value)\n") == nil) }
    for value in refused {
      let line = try file.refusal(of: "[\(section)]\n\(key) = \(value)\n")
      let shown = value.hasPrefix(";") ? "" : value
      #expect(
        line?.hasPrefix("fieldcorder: FILE:2: [\(section)] \(key) = \(shown): expected ") == true, "\(line ?? "taken")")
    }
  }

  @Test(
    "What is wrong is told in one line that names the place, the key and what was expected",
    arguments: [
      ("[record]\npreroll_seconds = 99\n", ":2: [record] preroll_seconds = 99: expected 0…60 (seconds)"),
      ("[record]\nsplit_seconds = 3\n", ":2: [record] split_seconds = 3: expected 0 (never) or 5…86400 (seconds)"),
      ("[video]\nwidth = 641\n", ":2: [video] width = 641: expected preset, 16…4096, even (pixels)"),
      (
        "[tone]\nlevel_dbfs = 6\n",
        ":2: [tone] level_dbfs = 6: expected -90…0, with at most 7 decimals (dBFS)"
      ),
      ("[record]\naudio_format = mp3\n", ":2: [record] audio_format = mp3: expected aiff, caf, flac or wav"),
      (
        "[zoom]\neasing = ease\n",
        ":2: [zoom] easing = ease: expected linear, or sine, quad, cubic, quart, quint, expo, circ, back, elastic or bounce "
          + "with -in, -out or -in-out"
      ),
      (
        "[record]\nname_prefix = pond 3\n",
        ":2: [record] name_prefix = pond 3: expected none, 1 to 12 letters, digits and hyphens, no hyphen first, and fewer than 8 digits at the end"
      ),
      (
        "[record]\nname_prefix = -rf\n",
        ":2: [record] name_prefix = -rf: expected none, 1 to 12 letters, digits and hyphens, no hyphen first, and fewer than 8 digits at the end"
      ),
      (
        "[record]\nname_prefix = Weissensee-Nord\n",
        ":2: [record] name_prefix = Weissensee-Nord: expected none, 1 to 12 letters, digits and hyphens, no hyphen first, and fewer than 8 digits at the end"
      ),
      ("[audio]\nformat = s32\n", ":2: [audio] format = s32: expected auto, s16, s24 or float"),
      (
        "[record]\n\nprerol_seconds = 5\n",
        ":3: [record] prerol_seconds: there is no such key: did you mean preroll_seconds? expected one of arm, what, "
          + "audio_format, loudness, names, name_prefix, name_time, preroll_seconds, stall_seconds, split_bytes, split_seconds, "
          + "split_on_rotate, interval_seconds, interval_frame_rate, resume, fragment_milliseconds"
      ),
      ("[loop]\ncolour = 5\n", ":2: [loop] colour: there is no such key: expected one of tick_milliseconds, priority"),
      (
        "[vidoe]\nwidth = 640\n",
        ":2: [vidoe]: there is no such section: did you mean video? expected one of record, storage, identity, audio, speaker, video, "
          + "zoom, view, monitor, photo, player, stream, tone, library, retention, buttons, power, heat, leds, accelerometer, clock, gps, schedule, trigger, timecode, console, loop, sim"
      ),
      (
        "width = 640\n",
        ":1: width comes before any [section]: expected one of record, storage, identity, audio, speaker, video, zoom, "
          + "view, monitor, photo, player, stream, tone, library, retention, buttons, power, heat, leds, accelerometer, clock, gps, schedule, trigger, timecode, console, loop, sim"
      ),
      (
        "[leds]\nfault = 2\n\nfault = 3\n", ":4: [leds] fault: given twice, first on line 2: remove one"
      ),
      ("[leds]\nfault 2\n", ":2: expected key = value, [section], or a comment after #"),
      (
        "[loop]\n[record] preroll_seconds = 3\n",
        ":2: expected [section] alone on its line, and key = value on a line of its own"
      ),
      (
        "\u{FEFF}[record]preroll_seconds=3",
        ":1: expected [section] alone on its line, and key = value on a line of its own"
      ),
      ("[record]\nwhat = # audio\n", ":2: [record] what = # audio: expected video, audio or stills"),
      ("[record]\nwhat = audio# too near\n", ":2: [record] what = audio# too near: expected video, audio or stills"),
      ("[loop]\r[record]\rpreroll_seconds = 99\r", ":3: [record] preroll_seconds = 99: expected 0…60 (seconds)"),
      ("[loop]\r\n\r\ncolor\r\n", ":3: expected key = value, [section], or a comment after #"),
      ("[leds\nfault = 2\n", ":1: expected key = value, [section], or a comment after #"),
      (
        "[buttons]\nstop = 23\n",
        ":2: [buttons] stop and [leds] record are both line 23 of /dev/gpiochip0: expected a line of its own for each, "
          + "or none"
      ),
      (
        "[buttons]\nplay = 1\nzoom = 1\nrotate = 2\n",
        ":3: [buttons] play and [buttons] zoom are both line 1 of /dev/gpiochip0: expected a line of its own for each, "
          + "or none"
      ),
      ("[loop]\n\u{7}priority = 1\n", ":2: not text: expected UTF-8 without control characters"),
    ])
  func explains(text: String, line: String) throws {
    #expect(try file.refusal(of: text) == "fieldcorder: FILE" + line)
  }

  @Test(
    "A trigger that could not work is refused",
    arguments: [
      ("start_db = -50", "start_db and stop_db: expected stop_db to be the lower one"),
      ("on = band", "on = band: expected bands, such as bands = 2000-5000"),
      ("on = band+motion", "on = band: expected bands, such as bands = 2000-5000"),
      (
        "on = motion\n[record]\nwhat = audio", "on: expected [record] what = video, so that it can see motion"
      ),
      (
        "on = motion\nmotion_stop_percent = 4",
        "motion_start_percent and motion_stop_percent: expected motion_stop_percent to be the lower one"
      ),
      (
        "bands = 2000-24001",
        "bands: expected none above half of [audio] sample_rate, which must be higher to hear them"
      ),
      ("when = scheduled", "when = scheduled: expected a rule in [schedule]"),
      ("[record]\narm = press", "on: expected [record] arm = boot, so that it can listen"),
      (
        "[record]\npreroll_seconds = 0",
        "on: expected [record] preroll_seconds of 1 or more, or the beginning would be lost"
      ),
    ])
  func refusesTrigger(lines: String, line: String) throws {
    let text = lines.hasPrefix("on") ? "[trigger]\n\(lines)" : "[trigger]\non = level\n\(lines)"
    #expect(try file.refusal(of: text) == "fieldcorder: FILE: [trigger] " + line)
    _ = try file.load("[trigger]\non = band\nbands = 2000-24000")
  }

  @Test("A size of its own goes beside a preset, whole or not at all, and not beside auto")
  func refusesHalfASize() throws {
    #expect(
      try file.load("[video]\nwidth = 16\nheight = 4096").video.size == FrameSize(widthPixels: 16, heightPixels: 4096))
    #expect(
      try file.load("[video]\npreset = 720p\nwidth = 800\nheight = 600").video.size
        == FrameSize(widthPixels: 800, heightPixels: 600))
    #expect(try file.load("[video]\npreset = 720p").video.size == FrameSize(widthPixels: 1280, heightPixels: 720))
    for half in ["width = 640", "height = 480", "preset = auto\nwidth = 640"] {
      #expect(
        try file.refusal(of: "[video]\n\(half)\n")
          == "fieldcorder: FILE: [video] width and height go together: expected both in pixels, or neither")
    }
    #expect(
      try file.refusal(of: "[video]\npreset = auto\nwidth = 640\nheight = 480\n")
        == "fieldcorder: FILE: [video] width and height with preset = auto: expected either a size or auto, not both")
  }

  @Test("what is done to the sound must fit its channels and its format")
  func refusesSoundThatDoesNotFit() throws {
    for (lines, problem) in [
      ("stitch_db = 20\nchannels = 3", "stitch_db makes one channel of each two inputs: expected channels to be even"),
      ("stitch_db = 20\nformat = s24", "stitch_db exceeds full scale: expected format to be float or auto"),
      (
        "stitch_db = 20\n[record]\naudio_format = flac",
        "stitch_db with [record] audio_format = flac: expected wav, which holds float"
      ),
      ("limiter_dbfs = -1", "limiter_dbfs is for what cannot exceed full scale: expected format to be s16 or s24"),
      ("channels = 5\nsafety_db = -20", "safety_db doubles the channels: expected at most 4 channels"),
    ] {
      #expect(try file.refusal(of: "[audio]\n\(lines)\n") == "fieldcorder: FILE: [audio] \(problem)")
    }
    let both = try file.load("[audio]\nchannels = 8\nstitch_db = 20\nsafety_db = -20")
    #expect(both.audio.processing.channelCount(ofCard: 8) == 8)
  }

  @Test("Hot begins above warm")
  func refusesInvertedHeat() throws {
    for (warm, hot) in [(75, 75), (82, 75)] {
      #expect(
        try file.refusal(of: "[heat]\nwarm_celsius = \(warm)\nhot_celsius = \(hot)\n")
          == "fieldcorder: FILE: [heat] hot_celsius and warm_celsius: expected hot_celsius to be the higher one")
    }
    #expect(try file.load("[heat]\nwarm_celsius = 60\nhot_celsius = 61").heat.hotCelsius == 61)
  }

  @Test("The first of several errors is the one that is told")
  func tellsTheFirst() throws {
    let line = try file.refusal(of: "[loop]\npriority\npriority = 100\ncolour = 1\n")
    #expect(line == "fieldcorder: FILE:2: expected key = value, [section], or a comment after #")
  }

  @Test("Two pins may share a number on two chips, and none on none")
  func acceptsSameOffsetElsewhere() throws {
    #expect(try file.refusal(of: "[leds]\nchip = /dev/gpiochip1\nrecord = 5\nfault = 6\n") == nil)
    #expect(try file.refusal(of: "[buttons]\nplay = none\nstop = none\nzoom = none\n") == nil)
  }

  @Test("Every line that inih can hold is read whole, and the next longer one is refused")
  func knowsTheLongestLine() throws {
    #expect(try file.refusal(of: "#" + String(repeating: "x", count: 198) + "\n[loop]\npriority = 1") == nil)
    let line = try file.refusal(of: "\n#" + String(repeating: "x", count: 199) + "\n")
    #expect(line == "fieldcorder: FILE:2: the line is too long: expected at most 199 bytes")
  }

  @Test(
    "Bytes that are no UTF-8 are no configuration",
    arguments: [[0xFF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0], [0x7F]])
  func refusesOtherBytes(bytes: [UInt8]) throws {
    let line = try file.refusal(of: Array("# ".utf8) + bytes + Array("\n".utf8))
    #expect(line == "fieldcorder: FILE:1: not text: expected UTF-8 without control characters")
  }

  @Test("A file that ends within a character is no configuration")
  func refusesHalfACharacter() throws {
    let line = try file.refusal(of: Array("[audio]\ndevice = microphone\n# ".utf8) + [0xE4])
    #expect(line == "fieldcorder: FILE:3: not text: expected UTF-8 without control characters")
  }

  @Test("A missing file is an error where it was named, and means the defaults where it was not")
  func knowsMissingFiles() throws {
    let path: FixedText<256> = "/nonexistent/fieldcorder.conf"
    #expect(try Settings.load(path, mustExist: false) == Settings())
    let error = #expect(throws: SettingsError.self) { try Settings.load(path, mustExist: true) }
    let line = String(try #require(error).line)
    #expect(
      line == "fieldcorder: /nonexistent/fieldcorder.conf: there is no such file: name another with --config FILE")
  }

  @Test("A folder is no configuration file")
  func refusesFolders() throws {
    let error = #expect(throws: SettingsError.self) { try Settings.load("/usr", mustExist: false) }
    #expect(String(try #require(error).line) == "fieldcorder: /usr: this is a folder: expected a file")
  }

  @Test("Any settings, printed and read back, are the same settings", arguments: 0..<4)
  func survivesPrinting(quarter: UInt64) throws {
    var different: Set<String> = []
    let count = UInt64(Cases.count(250, of: 2500))
    for seed in quarter * count..<(quarter + 1) * count {
      let settings = RandomSettings.make(seed: seed)
      let lines = settings.lines
      let text = lines.joined(separator: "\n")
      different.insert(text)
      #expect(try file.load(text) == settings, "seed \(seed)")
    }
    #expect(different.count == count)
  }

  @Test("A table has room for every setting")
  func hasRoom() {
    #expect(SettingsTable(Settings()).count <= PerSetting<Bool>(repeating: false).count)
  }

  @Test(
    "Others beside settings differ in just the lines that would be printed otherwise",
    arguments: 0..<50 as Range<UInt64>)
  func compares(seed: UInt64) {
    let settings = RandomSettings.make(seed: seed)
    let other = seed % 2 == 0 ? Settings() : RandomSettings.make(seed: seed + 1)
    let table = SettingsTable(settings, comparedWith: other)
    let lines = settings.lines.filter { !$0.hasPrefix("[") }
    let otherLines = other.lines.filter { !$0.hasPrefix("[") }
    #expect((0..<table.count).map { String(table[$0].line) } == lines)
    #expect((0..<table.count).map { table[$0].differs } == zip(lines, otherLines).map { $0 != $1 })
    #expect(
      (0..<table.count).map { "\(table[$0].key) = \(String(table[$0].otherText))" } == otherLines)
  }
}
