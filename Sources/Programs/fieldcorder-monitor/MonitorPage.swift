/// The page that a browser shows; it is self-contained, and nothing is loaded from elsewhere.
enum MonitorPage {
  /// The page may only load what the server itself sends, and run its own script.
  static let policy: StaticString =
    "default-src 'none'; img-src 'self'; media-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'"

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
    form { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: 0.75rem; margin: 0.5rem 0; }
    form .line { margin: 0; grid-column: 1 / -1; }
    label { display: block; color: #aaa; }
    input, select { box-sizing: border-box; width: 100%; padding: 0.4rem; font: inherit; color: #ddd; background: #222; border: 1px solid #555; }
    .changed { border-color: #fb5; }
    .on { background: #3a3; }
    summary, form button { min-height: 2.75rem; }
    summary { display: flex; align-items: center; cursor: pointer; }
    </style>
    </head>
    <body>
    <main>
    <img id="picture" alt="what the camera sees" data-ko="카메라가 보는 것">
    <div class="line"><div class="lamp"></div><div id="state">…</div><div class="faults" id="faults"></div></div>
    <div class="line"><span>L</span><div class="meter"><div id="left"></div></div><span id="leftText"></span></div>
    <div class="line"><span>R</span><div class="meter"><div id="right"></div></div><span id="rightText"></span></div>
    <audio id="sound" controls preload="none"></audio>
    <div class="line">
    <span id="more"></span><button id="share" hidden></button>
    <button id="step" hidden></button><span id="stepState"></span>
    </div>
    <details id="sheet" hidden>
    <summary id="sheetLine"></summary>
    <form id="fields" autocomplete="off">
    <label><span data-ko="프로젝트">project</span><input id="project"></label>
    <label><span data-ko="씬">scene</span><input id="scene"></label>
    <label><span data-ko="테이크 번호">take number</span><input id="take" inputmode="numeric"></label>
    <label><span data-ko="테이프">tape</span><input id="tape"></label>
    <label><span data-ko="트랙">track</span><select id="channel"></select></label>
    <label><span data-ko="트랙 이름">name of the track</span><input id="track"></label>
    <div class="line"><button data-ko="입력">enter</button></div>
    </form>
    <form id="remark" autocomplete="off">
    <label><span id="about"></span><input id="note"></label>
    <div class="line">
    <button data-ko="메모 추가">add the note</button>
    <button type="button" data-line="circle" data-ko="채택">circle</button>
    <button type="button" data-line="circle false" data-ko="버림">false take</button>
    <button type="button" data-line="circle no" data-ko="둘 다 아님">neither</button>
    </div>
    <div class="line" id="notes"></div>
    </form>
    <div class="line" id="told" role="status"></div>
    </details>
    </main>
    <script>
    const token = location.search;
    const of = (id) => document.getElementById(id);
    const all = (selector) => [...document.querySelectorAll(selector)];
    const isKorean = (navigator.language ?? "").startsWith("ko");
    const words = (english, korean) => isKorean ? korean : english;
    if (isKorean) {
      document.documentElement.lang = "ko";
      for (const one of all("[data-ko]")) {
        if (one.alt) one.alt = one.dataset.ko; else one.textContent = one.dataset.ko;
      }
    }
    const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));
    const picture = of("picture"), sound = of("sound");
    const see = () => { picture.src = "/live.mjpeg" + token; };
    picture.onerror = () => setTimeout(see, 2000);
    let heard = "/live.opus";
    const hear = () => { sound.src = heard + token; };
    hear();
    sound.onended = sound.onerror = hear;
    const refusals = {
      400: words("this cannot be entered", "입력할 수 없는 내용입니다"),
      401: words("the token is wrong", "토큰이 틀립니다"),
      403: words("only this recorder's own page may do this", "이 레코더의 페이지에서만 할 수 있습니다"),
      413: words("this is too long", "너무 깁니다"),
      503: words("the recorder is not there or busy: try again", "레코더가 없거나 바쁩니다. 다시 하세요"),
    };
    const post = async (path, body) => {
      const answer = await fetch(path, {
        method: "POST", headers: { Authorization: "Bearer " + new URLSearchParams(token).get("token") }, body,
      });
      if (!answer.ok) throw new Error(refusals[answer.status] ?? await answer.text());
    };
    const share = of("share");
    share.onclick = async () => {
      share.disabled = true;
      try { await post(share.dataset.path); } catch (error) { of("state").textContent = error.message; }
      await pause(1000);
      share.disabled = false;
    };
    // The sheet of the takes. A field shows what the recorder says, until somebody changes it.
    let sheet;
    const limits = { project: 64, scene: 64, tape: 64, track: 32, note: 88 };
    for (let channel = 1; channel <= 8; channel++) of("channel").add(new Option(channel));
    const present = (id) => {
      if (id === "take") return String(sheet.scene_take ?? "");
      return (id === "track" ? sheet.tracks[of("channel").value - 1] : sheet[id]) ?? "";
    };
    const changed = () => all("#fields .changed").map((field) => field.id);
    const mark = (field) => field.classList.toggle("changed", field.value.trim() !== present(field.id));
    for (const field of all("#fields input")) field.oninput = () => { if (sheet) mark(field); };
    of("channel").onchange = () => {
      of("track").classList.remove("changed");
      if (sheet) of("track").value = present("track");
    };
    const showSheet = (status) => {
      sheet = status.sheet;
      of("sheet").hidden = !sheet;
      if (!sheet) return;
      for (const field of all("#fields input")) {
        if (field.classList.contains("changed")) mark(field);
        else if (field !== document.activeElement) field.value = present(field.id);
      }
      const take = sheet.scene === null ? words("no scene", "씬 없음") : sheet.scene
        + (status.recording ? words(", take ", ", 테이크 ") : words(", next take ", ", 다음 테이크 ")) + sheet.scene_take;
      of("sheetLine").textContent = words("scene: ", "씬: ") + take;
      of("about").textContent = status.recording
        ? words("note about this take", "이 테이크의 메모") : words("note about the last take", "마지막 테이크의 메모");
      of("notes").textContent = sheet.notes ?? "";
      const verdicts = { "circle": "circled", "circle false": "false take", "circle no": "none" };
      for (const button of all("[data-line]")) {
        button.classList.toggle("on", sheet.verdict === verdicts[button.dataset.line]);
      }
    };
    // Quotes around a text keep what it begins and ends with.
    const lineOf = (id) => {
      const text = of(id).value.trim();
      if (id === "take") return "take " + text;
      if (new TextEncoder().encode(text).length > limits[id]) {
        throw new Error(words("at most " + limits[id] + " bytes: ", "최대 " + limits[id] + "바이트: ") + text);
      }
      return (id === "track" ? "track " + of("channel").value : id) + ' "' + text + '"';
    };
    // Sends a line, and waits for what comes of it: the recorder counts the orders that it has taken.
    const enter = async (line) => {
      const before = sheet?.orders;
      await post("/sheet", line);
      for (let count = 0; count < 25; count++) {
        await pause(200);
        if (sheet && sheet.orders !== before && sheet.answer !== null) return sheet.answer;
      }
      return words("the recorder has not answered yet", "레코더가 아직 답하지 않았습니다");
    };
    const enterAll = async (ids, lines) => {
      const told = [], buttons = all("#sheet button");
      for (const button of buttons) button.disabled = true;
      of("told").className = "line";
      of("told").textContent = "…";
      try {
        for (const line of lines ?? ids.map(lineOf)) told.push(await enter(line));
        for (const id of ids) {
          of(id).classList.remove("changed");
          if (id === "note") of(id).value = "";
        }
      } catch (error) {
        told.push(error.message);
        of("told").className = "line faults";
      }
      of("told").textContent = told.join("; ");
      for (const button of buttons) button.disabled = false;
    };
    of("fields").onsubmit = (event) => {
      event.preventDefault();
      enterAll(changed());
    };
    of("remark").onsubmit = (event) => {
      event.preventDefault();
      if (of("note").value.trim()) enterAll(["note"]);
    };
    for (const button of all("[data-line]")) button.onclick = () => enterAll([], [button.dataset.line]);
    const offer = (status) => {
      step.hidden = !leave && (status.file !== undefined || !window.AudioContext || !window.ReadableStream);
      share.hidden = status.file !== undefined || !(status.sharing || status.player.title);
      share.textContent = status.sharing
        ? words("microphone for all", "모두에게 마이크") : words("play for all", "모두에게 재생");
      share.dataset.path = status.sharing ? "/share/off" : "/share";
    };
    // How the server's clock runs by the page's: a line between two bounds, because no question arrives before it is
    // sent, and no answer either. Both bounds have the slope at which they lie farthest apart.
    const compare = (exchanges) => {
      const middle = exchanges[exchanges.length - 1].server;
      const bounds = (skew) => exchanges.reduce(([low, high], one) => {
        const offset = one.server + skew * (one.server - middle);
        return [Math.max(low, one.sent - offset), Math.min(high, one.received - offset)];
      }, [-Infinity, Infinity]);
      const room = (skew) => { const [low, high] = bounds(skew); return high - low; };
      let [low, high] = middle - exchanges[0].server > 3000 ? [-5e-4, 5e-4] : [0, 0];
      for (let count = 0; count < 40; count++) {
        const third = (high - low) / 3;
        if (room(low + third) < room(high - third)) low += third; else high -= third;
      }
      const skew = (low + high) / 2;
      const [above, below] = bounds(skew);
      return { room: below - above, at: (server) => server + (above + below) / 2 + skew * (server - middle) };
    };
    // A line by least squares through points that are near the diagonal: how the sound card runs by the page's clock.
    // Over less than three seconds its slope is the one that was known before.
    const line = (points, known) => {
      const [x0, y0] = points[points.length - 1];
      const of = points.map(([x, y]) => [x - x0, y - y0 - (x - x0)]);
      const mean = (index) => of.reduce((sum, point) => sum + point[index], 0) / of.length;
      const [x1, y1] = [mean(0), mean(1)];
      let products = 0, squares = 0;
      for (const [x, y] of of) { products += (x - x1) * (y - y1); squares += (x - x1) ** 2; }
      const slope = x0 - points[0][0] > 3000 ? products / squares : known;
      const spread = of.reduce((sum, [x, y]) => sum + Math.abs(y - y1 - slope * (x - x1)), 0) / of.length;
      return { slope, spread, at: (x) => y0 + (x - x0) + y1 + slope * (x - x0 - x1) };
    };
    // Plays pieces of sound that say when they were recorded, each when all others play it.
    const listenInStep = (say) => {
      const ending = new AbortController();
      const exchanges = [], points = [], strays = [], pieces = [];
      // Of the card's own rate: what the browser converts itself, it does not count as delay.
      const context = new AudioContext();
      let clock, card, buffer, next, last, kernel, hasSlipped = false;

      const ask = async (number) => {
        const address = new URL("/clock" + token + "&n=" + number, location);
        let sent = performance.now();
        const told = await (await fetch(address, { signal: ending.signal })).json();
        let received = performance.now();
        // The browser's own record of a request does not wait for scripts.
        const record = performance.getEntriesByName(address.href).pop();
        performance.clearResourceTimings();
        if (record?.requestStart && record.responseStart) [sent, received] = [record.requestStart, record.responseStart];
        buffer = told.buffer_milliseconds;
        exchanges.push({ server: told.nanoseconds / 1e6, sent, received });
        if (exchanges.length > 400) exchanges.shift();
        clock = compare(exchanges);
        // They contradict each other: one of the clocks was stopped or set.
        if (clock.room < -2) exchanges.splice(0, exchanges.length - 1);
      };
      const askOn = async () => {
        for (let number = 0; !ending.signal.aborted; number++) {
          try { await ask(number); } catch { await pause(1000); }
          await pause(number < 20 ? 10 : number < 100 ? 100 : 250);
        }
      };

      const look = () => {
        let { contextTime, performanceTime } = context.getOutputTimestamp?.() ?? {
          contextTime: context.currentTime - (context.outputLatency ?? context.baseLatency ?? 0),
          performanceTime: performance.now(),
        };
        const before = (strays.length > 0 ? strays : points).at(-1);
        if (!(contextTime > 0) || performanceTime < before?.[0] + 50) return;
        const point = [performanceTime, contextTime * 1000];
        if (card && Math.abs(card.at(point[0]) - point[1]) > Math.max(0.25, 4 * card.spread)) {
          // Once may be chance; a card that ran empty stays behind.
          strays.push(point);
          if (strays.length < 4) return;
          points.length = 0;
          points.push(...strays);
          hasSlipped = true;
        } else {
          points.push(point);
        }
        strays.length = 0;
        if (points.length > 200) points.shift();
        card = line(points, card?.slope ?? 0);
      };

      // Fits a piece into other frames than its own: of the card's rate, or one more or less. Sums of 32 neighbours,
      // weighted by a sinc under a cosine; the pieces before and after lend theirs, so that there is no joint to be heard.
      const fit = (samples, before, after, length) => {
        const given = samples.length, step = given / length;
        if (step === 1) return samples;
        if (kernel?.step !== Math.max(1, Math.round(step * 100) / 100)) {
          kernel = new Float32Array(16 * 4096 + 1);
          kernel.step = Math.max(1, Math.round(step * 100) / 100);
          for (let index = 0; index < kernel.length; index++) {
            const x = index / 4096, angle = Math.PI * x / kernel.step;
            kernel[index] = (x > 0 ? Math.sin(angle) / angle : 1) / kernel.step * Math.cos(Math.PI * x / 32) ** 2;
          }
        }
        const wide = new Float32Array(given + 32), fitted = new Float32Array(length);
        wide.set(samples, 16);
        if (before) wide.set(before.subarray(-16));
        if (after) wide.set(after.subarray(0, 16), given + 16);
        for (let index = 0; index < length; index++) {
          const place = index * step, first = Math.floor(place);
          for (let frame = first - 15; frame <= first + 16; frame++) {
            fitted[index] += wide[frame + 16] * kernel[Math.round(Math.abs(frame - place) * 4096)];
          }
        }
        return fitted;
      };
      // A frame more or less in 20 ms follows the card's clock unheard; what is farther off begins anew, and so does what
      // is 1 ms off because the card ran empty: that was heard already.
      const put = (piece, due) => {
        const rate = context.sampleRate, soon = Math.ceil(context.currentTime * rate) + 256;
        const before = last && Math.abs(piece.recorded - last.recorded - 20) < 1 ? last : undefined;
        const after = pieces[0] && Math.abs(pieces[0].recorded - piece.recorded - 20) < 1 ? pieces[0] : undefined;
        let skip = 0, length = Math.round(piece.sound[0].length * rate / piece.rate);
        last = piece;
        const limit = hasSlipped ? rate / 1000 : rate / 200;
        hasSlipped = false;
        if (next >= soon && Math.abs(next - due) < limit) {
          if (Math.abs(next - due) > 0.5) length -= Math.sign(next - due);
        } else {
          const first = Math.round(due);
          skip = Math.max(0, Math.max(soon, next ?? 0) - first);
          if (skip >= length) return;
          next = first + skip;
        }
        const block = context.createBuffer(piece.sound.length, length - skip, rate);
        piece.sound.forEach((samples, channel) => block.copyToChannel(
          fit(samples, before?.sound[channel], after?.sound[channel], length).subarray(skip), channel));
        const source = new AudioBufferSourceNode(context, { buffer: block });
        source.connect(context.destination);
        source.start(next / rate);
        next += length - skip;
      };
      const play = () => {
        look();
        if (!clock || exchanges.length < 20 || points.length < 10) return;
        while (pieces.length > 0) {
          const due = card.at(clock.at(pieces[0].recorded + buffer)) * context.sampleRate / 1000;
          if (due > (context.currentTime + 0.3) * context.sampleRate) return;
          put(pieces.shift(), due);
          say(words("in step", "동기됨"));
        }
      };

      const take = (bytes) => {
        const view = new DataView(bytes.buffer);
        let start = 0;
        while (bytes.length - start >= 16) {
          const rate = view.getUint32(start + 8, true);
          const [channels, frames] = [view.getUint16(start + 12, true), view.getUint16(start + 14, true)];
          const end = start + 16 + frames * channels * 2;
          if (end > bytes.length) break;
          const sound = Array.from({ length: channels }, (_, channel) => Float32Array.from(
            { length: frames }, (_, frame) => view.getInt16(start + 16 + (frame * channels + channel) * 2, true) / 32768));
          pieces.push({ recorded: Number(view.getBigUint64(start, true)) / 1e6, rate, sound });
          // So many are waiting at most, of 20 ms each, when all is well.
          if (pieces.length > (buffer ?? 10000) / 20 + 50) pieces.shift();
          start = end;
        }
        return bytes.slice(start);
      };
      const read = async () => {
        while (!ending.signal.aborted) {
          try {
            const answer = await fetch("/live.timed" + token, { signal: ending.signal });
            if (!answer.ok) throw new Error(await answer.text());
            say(words("joining", "연결 중"));
            const reader = answer.body.getReader();
            let rest = new Uint8Array(0);
            for (;;) {
              const { done, value } = await reader.read();
              if (done) break;
              const bytes = new Uint8Array(rest.length + value.length);
              bytes.set(rest);
              bytes.set(value, rest.length);
              rest = take(bytes);
              play();
            }
          } catch (error) {
            say(error.message);
          }
          await pause(1000);
        }
      };
      const timer = setInterval(play, 50);
      context.resume();
      askOn();
      read();
      return () => {
        ending.abort();
        clearInterval(timer);
        context.close();
      };
    };
    const step = of("step");
    let leave;
    const listenWords = words("listen in step", "맞추어 듣기");
    step.textContent = listenWords;
    step.onclick = () => {
      const say = (text) => {
        if (of("stepState").textContent !== text) of("stepState").textContent = text;
      };
      if (leave) {
        leave();
        leave = undefined;
        say("");
      } else {
        sound.pause();
        leave = listenInStep((text) => { if (leave) say(text); });
      }
      sound.hidden = leave !== undefined;
      step.textContent = leave ? words("leave", "나가기") : listenWords;
    };
    const time = (s) => Math.floor(s / 3600) + ":" + new Date(s * 1000).toISOString().slice(14, 19);
    const meter = (id, peak, clips) => {
      of(id).style.clipPath = "inset(0 " + (100 - Math.max(0, Math.min(100, (peak + 60) / 60 * 100))) + "% 0 0)";
      const text = of(id + "Text");
      text.className = clips > 0 ? "clipped" : "";
      text.textContent = (peak <= -90 ? "-∞" : peak.toFixed(0) + " dBFS")
        + (clips > 0 ? ", " + clips + words(clips === 1 ? " clip" : " clips", " 클립") : "");
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
          of("state").textContent = words("the recorder is not running", "레코더가 실행되고 있지 않습니다");
          delay = 2000;
        } else {
          if (!hadRecorder) see();
          const state = status.recording ? words("recording ", "기록 중 ") : words("last take ", "마지막 테이크 ");
          of("state").textContent = state + time(status.take_seconds);
          of("faults").textContent = status.faults.concat(status.file_problem ?? []).join(", ");
          meter("left", status.peak_dbfs[0], status.clips[0]);
          meter("right", status.peak_dbfs[1], status.clips[1]);
          let more = words("zoom ", "줌 ") + status.zoom.toFixed(1) + ", "
            + (status.free_bytes / 1e9).toFixed(1) + words(" GB free", " GB 남음");
          if (status.room_seconds !== undefined) more += words(", room for ", ", 남은 시간 ") + time(status.room_seconds);
          if (status.player.state !== "none") more += ", " + status.player.state + " " + status.player.title;
          of("more").textContent = more;
          offer(status);
        }
        showSheet(status);
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
