"""The page at ``/``: type, hear it while it is made, and see how to call the server."""

from __future__ import annotations

PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>S2 Voice Studio</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
  textarea { width: 100%; box-sizing: border-box; font: inherit; padding: .6rem; }
  .row { display: flex; gap: .6rem; margin: .8rem 0; align-items: center; flex-wrap: wrap; }
  button, select { font: inherit; padding: .4rem .9rem; }
  #state { min-height: 1.5em; }
  code { font-size: .85em; }
</style>
</head>
<body>
<h1>S2 Voice Studio</h1>
<label for="text">What shall be said?</label>
<textarea id="text" rows="5">Hello, this is a voice from your own machine.</textarea>
<div class="row">
  <label>Voice <select id="voice"></select></label>
  <button id="speak">Speak</button>
  <button id="stop" disabled>Stop</button>
</div>
<p id="state" role="status"></p>
<p>Programs speak through <code>POST /v1/audio/speech</code> or <code>POST /generate</code>;
<a href="/openapi.json">openapi.json</a> has the details.</p>
<script>
"use strict";
const $ = id => document.getElementById(id);
let running = null, audio = null;

async function listVoices() {
  const answer = await fetch("/v1/audio/voices");
  for (const id of (await answer.json()).voices) $("voice").add(new Option(id, id));
}

// Samples arrive in pieces of any length; an odd byte waits for its other half.
function* samplesOf(state, bytes) {
  const joined = new Uint8Array(state.rest.length + bytes.length);
  joined.set(state.rest);
  joined.set(bytes, state.rest.length);
  const whole = joined.length & ~1;
  state.rest = joined.slice(whole);
  if (!whole) return;
  const view = new DataView(joined.buffer, 0, whole);
  const out = new Float32Array(whole / 2);
  for (let i = 0; i < out.length; i++) out[i] = view.getInt16(2 * i, true) / 32768;
  yield out;
}

async function speak() {
  const abort = new AbortController();
  running = abort;
  $("speak").disabled = true;
  $("stop").disabled = false;
  $("state").textContent = "Working ...";
  audio ??= new AudioContext();
  try {
    const answer = await fetch("/v1/audio/speech", {
      method: "POST",
      headers: {"content-type": "application/json"},
      body: JSON.stringify({input: $("text").value, voice: $("voice").value || "default",
                            response_format: "pcm"}),
      signal: abort.signal,
    });
    if (!answer.ok) throw new Error((await answer.json()).error.message);
    const rate = Number(answer.headers.get("x-audio-sample-rate"));
    const reader = answer.body.getReader();
    const state = {rest: new Uint8Array(0)};
    let at = 0, seconds = 0;
    for (;;) {
      const {done, value} = await reader.read();
      if (done) break;
      for (const samples of samplesOf(state, value)) {
        const buffer = audio.createBuffer(1, samples.length, rate);
        buffer.copyToChannel(samples, 0);
        const source = audio.createBufferSource();
        source.buffer = buffer;
        source.connect(audio.destination);
        at = Math.max(at, audio.currentTime + 0.1);
        source.start(at);
        at += buffer.duration;
        seconds += buffer.duration;
        $("state").textContent = seconds.toFixed(1) + " s of sound";
      }
    }
    $("state").textContent = seconds.toFixed(1) + " s of sound, done.";
  } catch (error) {
    $("state").textContent = abort.signal.aborted ? "Stopped." : String(error.message || error);
  } finally {
    running = null;
    $("speak").disabled = false;
  }
}

// Also ends what is still to be played of a finished answer.
function stop() {
  if (running) running.abort();
  if (audio) audio.close();
  audio = null;
  $("stop").disabled = true;
}

$("speak").addEventListener("click", speak);
$("stop").addEventListener("click", stop);
listVoices().catch(error => { $("state").textContent = String(error); });
</script>
</body>
</html>
"""
