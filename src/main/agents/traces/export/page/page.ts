import type { Language } from "../../../../../contract/index.ts";
import { pick } from "../../pick.ts";
import { wordsIn } from "../../telling/in-language.ts";
import { rowsOf } from "../../telling/rows.ts";
import type { Words } from "../../telling/words.ts";
import type { Exported, WholeTurn } from "../whole-turn.ts";
import { figuresOf } from "./figures.ts";
import { Html, html } from "./html.ts";
import { rowHtml } from "./row.ts";
import { style } from "./style.ts";

/** Nothing is loaded and nothing runs, whatever stands in the texts. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Recorded turns as one page that opens anywhere: it loads nothing and has no script. */
export function pageOf({ agent, session, turns, at }: Exported, language: Language): string {
  const words = wordsIn[language];
  const { page } = words;
  const time = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short" });
  const title = session.title || page.title;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title} · ${agent.name}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="sub">${page.turnsOf(turns.length, agent.name)} · ${page.written(time.format(at))}. ${page.openRow}</p>
<p class="private">${page.private}</p>
${turns.map((turn) => turnHtml(turn, words, time))}
</main>
</body>
</html>
`.text;
}

function turnHtml(turn: WholeTurn, words: Words, time: Intl.DateTimeFormat): Html {
  const { record, text, cut, outcome, turnId } = turn;
  const { page, outcomes } = words;
  const begun = pick(record, "turn_begun");
  const ended = pick(record, "turn_ended");
  const first = record[0]?.at ?? 0;
  const whole = (record.at(-1)?.at ?? first) - first;
  const look = cut || outcome === "failed" ? "pill bad" : outcome === "done" ? "pill" : "pill warn";
  const problem = cut ? null : (ended?.problem?.message ?? null);
  const from = begun?.from;
  return html`<section class="turn">
<header>
<div class="head"><h2>${text}</h2><span class="${look}">${cut ? (outcomes.cut.split(":")[0] ?? "") : outcomes[outcome ?? "running"]}</span></div>
<p class="when">${time.format(Date.parse(turn.at))} · ${turnId}${
    from ? html` · ${page.from}: ${from.turnId ?? from.sessionId}` : null
  }</p>
${cut ? html`<p class="notice">${page.cut}</p>` : null}
${outcome === null ? html`<p class="notice calm">${page.running}</p>` : null}
${problem === null ? null : html`<p class="notice">${problem}</p>`}
${ended?.text ? html`<p class="said">${ended.text}</p>` : null}
<dl>${figuresOf(turn, words).map(([what, figure]) => html`<div><dt>${what}</dt><dd>${figure}</dd></div>`)}</dl>
</header>
${rowsOf(record, words).map((row) => rowHtml(row, whole, words))}
</section>
`;
}
