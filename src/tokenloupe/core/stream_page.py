"""The web page that html_page() fills in: @TITLE@, @TABLE@ and @DATA@ are replaced. System colours, no network.

Keys: Space plays and pauses, the arrows step, Home and End go to the ends. Nothing moves by itself, and the announcing
region speaks one sentence a step only while the reader steps, not while it plays.
"""
# ruff: noqa: E501 - long lines keep the page short

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>@TITLE@</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1.5rem; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
.bar { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0; }
.bar input[type=range] { flex: 1; min-width: 8rem; }
button { font: inherit; padding: .2rem .8rem; }
#tokens { display: flex; flex-wrap: wrap; gap: .25rem; max-height: 8.5rem; overflow: auto; margin: 0; padding: 0; list-style: none; }
#tokens li { border: 1px dashed GrayText; border-radius: .3rem; padding: 0 .35rem; font: .85rem/1.5 ui-monospace, monospace; }
#tokens li.done { border-style: solid; }
#tokens li.now { outline: 3px solid Highlight; }
.lane { border: 1px solid GrayText; border-radius: .5rem; padding: .6rem .9rem; margin: .6rem 0; }
.lane h2 { font-size: 1rem; margin: 0; }
.lane p { margin: 0; }
.about, .state { font-size: .85rem; opacity: .85; }
.text { font-size: 1.25rem; min-height: 1.9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
mark { border-bottom: 3px double currentColor; border-radius: .2rem; }
.new { text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: .25em; }
kbd { border: 1px dashed currentColor; border-radius: .2rem; font: .85rem ui-monospace, monospace; padding: 0 .3rem; }
table { border-collapse: collapse; margin-top: 1rem; font-size: .85rem; }
th, td { border: 1px solid GrayText; padding: .15rem .5rem; text-align: left; vertical-align: top; }
summary { cursor: pointer; margin-top: 1rem; }
.scroll { overflow-x: auto; }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
</style>
</head>
<body>
<h1>@TITLE@</h1>
<p>The same tokens go through several decoders. <mark>&#xFFFD;</mark> is a character that a decoder could not make; <kbd>E2 82</kbd> are bytes that it holds until the rest comes. Space plays, the arrow keys step.</p>
<div class="bar" role="group" aria-label="Playback">
<button id="play" type="button">Play</button>
<button id="back" type="button">Step back</button>
<button id="step" type="button">Step</button>
<input id="seek" type="range" min="0" value="0" aria-label="Position">
<output id="where" for="seek"></output>
<label>Speed <select id="speed"><option value="0.25">¼×</option><option value="0.5">½×</option><option value="1" selected>1×</option><option value="2">2×</option><option value="4">4×</option></select></label>
</div>
<p id="said" class="quiet" role="status"></p>
<ol id="tokens" aria-label="Tokens"></ol>
<div id="lanes"></div>
<details><summary>All steps as a table</summary><div class="scroll"><table>@TABLE@</table></div></details>
<noscript><p>Playing needs scripts; the table above has every step.</p></noscript>
<script type="application/json" id="data">@DATA@</script>
<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const steps = data.steps, total = steps.length, $ = id => document.getElementById(id);
const make = (name, cls, text) => { const e = document.createElement(name); if (cls) e.className = cls; if (text) e.textContent = text; return e; };
const texts = data.lanes.map((_, k) => { let all = "", ends = [0]; for (const s of steps) { all += s.l[k][0]; ends.push(all.length); } return {all, ends}; });
const lanes = data.lanes.map(lane => {
  const box = make("section", "lane"), text = make("p", "text"), state = make("p", "state");
  box.append(make("h2", "", lane.name), make("p", "about", lane.about), text, state);
  const points = Array.from(texts[data.lanes.indexOf(lane)].all);
  let unit = 0; const units = points.map(c => { const at = unit; unit += c.length; return at; });
  const why = new Map(lane.marks.map(([at, said]) => [units[at], said]));
  $("lanes").append(box);
  return {text, state, why};
});
const items = steps.map(s => { const li = make("li", "", s.t); li.title = s.b; $("tokens").append(li); return li; });
let position = 0, timer = 0;
function fill(to, all, from, end, why, fresh) {
  for (let at = from; at < end;) {
    let next = all.indexOf("\\uFFFD", at); if (next < 0 || next > end) next = end;
    if (next > at) to.append(make("span", fresh ? "new" : "", all.slice(at, next)));
    if (next < end) { const m = make("mark", "", "\\uFFFD"); m.title = why.get(next) || ""; to.append(m); next += 1; }
    at = next;
  }
}
function show(target, speak) {
  const old = position; position = Math.max(0, Math.min(total, target));
  for (let k = Math.min(old, position); k <= Math.max(old, position); k++) if (items[k]) items[k].className = k < position ? "done" : "";
  if (old > 0 && items[old - 1]) items[old - 1].classList.remove("now");
  if (position > 0) { items[position - 1].className = "done now"; items[position - 1].scrollIntoView({block: "nearest"}); }
  $("seek").value = position; $("where").textContent = position + " of " + total;
  lanes.forEach((lane, k) => {
    const {all, ends} = texts[k], last = position > 0 ? steps[position - 1].l[k] : null;
    lane.text.replaceChildren();
    fill(lane.text, all, 0, ends[Math.max(position - 1, 0)], lane.why, false);
    fill(lane.text, all, ends[Math.max(position - 1, 0)], ends[position], lane.why, true);
    lane.state.replaceChildren();
    if (!last) return;
    if (last[1]) lane.state.append("holds ", make("kbd", "", last[1]), " ");
    if (last[2]) lane.state.append("waits for a stop string ", make("kbd", "", JSON.stringify(last[2])), " ");
    if (last[3]) lane.state.append("shown " + last[3] + (last[3] === 1 ? " token late " : " tokens late "));
    if (last[4]) lane.state.append(last[4] + " ");
    if (position === total) lane.state.append("In the end: " + data.lanes[k].end + ".");
  });
  if (speak && position > 0) $("said").textContent = "Token " + position + ", " + steps[position - 1].t + ". " + data.lanes.map((l, k) => l.name + ": " + (steps[position - 1].l[k][0] || "nothing")).join(". ");
}
function pause() { clearTimeout(timer); timer = 0; $("play").textContent = "Play"; }
function tick() {
  if (position >= total) return pause();
  show(position + 1, false);
  const gap = position < total ? steps[position].ms - steps[position - 1].ms : 0;
  timer = setTimeout(tick, Math.max(gap, 15) / Number($("speed").value));
}
function play() { if (timer) return pause(); if (position >= total) show(0, false); $("play").textContent = "Pause"; timer = setTimeout(tick, 0); }
$("seek").max = total;
$("play").onclick = play;
$("back").onclick = () => { pause(); show(position - 1, true); };
$("step").onclick = () => { pause(); show(position + 1, true); };
$("seek").oninput = e => { pause(); show(Number(e.target.value), false); };
document.addEventListener("keydown", e => {
  if (e.ctrlKey || e.altKey || e.metaKey || ["SELECT", "SUMMARY"].includes(e.target.tagName)) return;
  const own = e.target === $("seek");
  if (e.key === " " && e.target.tagName !== "BUTTON") play();
  else if (e.key === "ArrowRight" && !own) { pause(); show(position + 1, true); }
  else if (e.key === "ArrowLeft" && !own) { pause(); show(position - 1, true); }
  else if (e.key === "Home" && !own) { pause(); show(0, true); }
  else if (e.key === "End" && !own) { pause(); show(total, true); }
  else return;
  e.preventDefault();
});
show(0, false);
</script>
</body>
</html>
"""
