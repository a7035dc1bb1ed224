/// The page that a browser shows: all of it is here, and nothing is fetched from elsewhere.
enum MonitorPage {
  /// What the page may do: load what the server itself sends, and run its own script.
  static let policy: StaticString =
    "default-src 'none'; img-src 'self'; media-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'none'"

  static let text: StaticString = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>fieldcorder</title>
    <style>
    body { margin: 0; background: #111; color: #ddd; font: 16px system-ui, sans-serif; }
    main { max-width: 60rem; margin: auto; padding: 0.5rem; }
    img { display: block; width: 100%; min-height: 6rem; background: #000; object-fit: contain; max-height: 75vh; }
    .line { display: flex; align-items: center; gap: 0.75rem; margin: 0.5rem 0; flex-wrap: wrap; }
    .lamp { width: 1rem; height: 1rem; border-radius: 50%; background: #444; }
    .recording .lamp { background: #e22; }
    .meter { flex: 1; height: 0.75rem; background: #333; }
    .meter div { height: 100%; clip-path: inset(0 100% 0 0); background: linear-gradient(90deg, #3a3 75%, #db3 90%, #e22); }
    .clipped { color: #f66; }
    .faults { color: #fb5; }
    audio { width: 100%; }
    button { font: inherit; padding: 0.25rem 0.75rem; }
    </style>
    </head>
    <body>
    <main>
    <img id="picture" alt="what the camera sees">
    <div class="line"><div class="lamp"></div><div id="state">…</div><div class="faults" id="faults"></div></div>
    <div class="line"><span>L</span><div class="meter"><div id="left"></div></div><span id="leftText"></span></div>
    <div class="line"><span>R</span><div class="meter"><div id="right"></div></div><span id="rightText"></span></div>
    <audio id="sound" controls preload="none"></audio>
    <div class="line"><span id="more"></span><button id="share" hidden></button></div>
    </main>
    <script>
    const token = location.search;
    const of = (id) => document.getElementById(id);
    const picture = of("picture"), sound = of("sound");
    const see = () => { picture.src = "/live.mjpeg" + token; };
    picture.onerror = () => setTimeout(see, 2000);
    let heard = "/live.opus";
    const hear = () => { sound.src = heard + token; };
    hear();
    sound.onended = sound.onerror = hear;
    const share = of("share");
    share.onclick = async () => {
      share.disabled = true;
      const answer = await fetch(share.dataset.path, {
        method: "POST", headers: { Authorization: "Bearer " + new URLSearchParams(token).get("token") },
      });
      if (!answer.ok) of("state").textContent = await answer.text();
      setTimeout(() => { share.disabled = false; }, 1000);
    };
    const offer = (status) => {
      share.hidden = status.file !== undefined || !(status.sharing || status.player.title);
      share.textContent = status.sharing ? "microphone for all" : "play for all";
      share.dataset.path = status.sharing ? "/share/off" : "/share";
    };
    const time = (s) => Math.floor(s / 3600) + ":" + new Date(s * 1000).toISOString().slice(14, 19);
    const meter = (id, peak, clips) => {
      of(id).style.clipPath = "inset(0 " + (100 - Math.max(0, Math.min(100, (peak + 60) / 60 * 100))) + "% 0 0)";
      const text = of(id + "Text");
      text.className = clips > 0 ? "clipped" : "";
      text.textContent = (peak <= -90 ? "-∞" : peak.toFixed(0) + " dBFS")
        + (clips > 0 ? ", " + clips + (clips === 1 ? " clip" : " clips") : "");
    };
    let hadRecorder = false;
    const look = async () => {
      let delay = 200;
      try {
        const answer = await fetch("/status.json" + token);
        if (!answer.ok) throw new Error(await answer.text());
        const status = await answer.json();
        if (status.file !== undefined && status.file !== heard) {
          heard = status.file;
          hear();
        }
        document.body.className = status.recording ? "recording" : "";
        if (!status.recorder) {
          of("state").textContent = "the recorder is not running";
          delay = 2000;
        } else {
          if (!hadRecorder) see();
          of("state").textContent = (status.recording ? "recording " : "last take ") + time(status.take_seconds);
          of("faults").textContent = status.faults.concat(status.file_problem ?? []).join(", ");
          meter("left", status.peak_dbfs[0], status.clips[0]);
          meter("right", status.peak_dbfs[1], status.clips[1]);
          let more = "zoom " + status.zoom.toFixed(1) + ", " + (status.free_bytes / 1e9).toFixed(1) + " GB free";
          if (status.room_seconds !== undefined) more += ", room for " + time(status.room_seconds);
          if (status.player.state !== "none") more += ", " + status.player.state + " " + status.player.title;
          of("more").textContent = more;
          offer(status);
        }
        hadRecorder = status.recorder;
      } catch (error) {
        of("state").textContent = error.message;
        hadRecorder = false;
        delay = 2000;
      }
      setTimeout(look, delay);
    };
    look();
    </script>
    </body>
    </html>
    """
}
