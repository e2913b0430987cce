/** The looks of an exported page. It loads nothing, so the fonts are those of the reader's system. */
export const style = `
:root {
  color-scheme: light dark;
  --bg: #f5f2eb; --surface: #fffdf8; --sunk: #f0ebe0; --line: #e0d8c8; --ink: #1e1a13; --mute: #665f50;
  --accent: #d1430b; --model: #a59c8a; --hook: #c2255c; --tool: #b57700; --run: #e0bd6f; --ok: #2b7a3d;
  --warn: #8a5c00; --bad: #c02626; --ok-wash: #e3efe0; --warn-wash: #f7ecd0; --bad-wash: #fae3dd;
  --shadow: 0 1px 2px rgb(60 45 20 / 6%), 0 6px 20px rgb(60 45 20 / 6%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #14120e; --surface: #1d1a15; --sunk: #171510; --line: #332e25; --ink: #f1ebdf; --mute: #a79e8d;
    --accent: #ff7a3d; --model: #6d6556; --hook: #ff7aa8; --tool: #e5ae3a; --run: #7d6128; --ok: #6fce84;
    --warn: #f0b849; --bad: #ff7b72; --ok-wash: #1d2c1e; --warn-wash: #30270f; --bad-wash: #371a16;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 6px 20px rgb(0 0 0 / 30%);
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.5 Inter, system-ui, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 40px 24px 80px; }
h1 { margin: 0; font-size: 22px; line-height: 1.25; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 17px; line-height: 1.4; overflow-wrap: anywhere; white-space: pre-wrap; }
.sub { margin: 6px 0 0; color: var(--mute); font-size: 14px; }
.private { margin: 16px 0 0; padding: 10px 14px; border-radius: 8px; background: var(--warn-wash); color: var(--warn); font-size: 14px; }
.turn { margin-top: 28px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); box-shadow: var(--shadow); overflow: hidden; }
.turn > header { padding: 20px 24px 18px; border-bottom: 1px solid var(--line); }
.head { display: flex; gap: 16px; align-items: flex-start; justify-content: space-between; }
.pill { flex: none; padding: 2px 10px; border-radius: 999px; font-size: 13px; font-weight: 600; background: var(--ok-wash); color: var(--ok); }
.pill.bad { background: var(--bad-wash); color: var(--bad); }
.pill.warn { background: var(--warn-wash); color: var(--warn); }
.when { color: var(--mute); font-size: 13px; margin: 4px 0 0; overflow-wrap: anywhere; }
.said { margin: 14px 0 0; padding: 10px 14px; border-radius: 8px; background: var(--sunk); white-space: pre-wrap; overflow-wrap: anywhere; font-size: 14px; max-height: 240px; overflow: auto; }
.notice { margin: 14px 0 0; padding: 10px 14px; border-radius: 8px; background: var(--bad-wash); color: var(--bad); font-size: 14px; overflow-wrap: anywhere; }
.notice.calm { background: var(--warn-wash); color: var(--warn); }
dl { display: flex; flex-wrap: wrap; gap: 10px 28px; margin: 16px 0 0; }
dt { color: var(--mute); font-size: 13px; }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
.row { border-top: 1px solid var(--line); }
.row:first-of-type { border-top: 0; }
summary { display: grid; grid-template-columns: minmax(0, 5fr) minmax(120px, 4fr) 76px; gap: 16px; align-items: center; padding: 7px 24px; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--sunk); }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.what { min-width: 0; padding-left: calc(var(--d) * 18px); }
.line { display: flex; gap: 8px; align-items: baseline; min-width: 0; }
.kind { flex: none; color: var(--mute); font-size: 13px; }
.name { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; font-size: 14px; }
.owner { flex: none; max-width: 40%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding: 0 7px; border: 1px solid var(--line); border-radius: 999px; font-size: 12px; color: var(--mute); }
.note { display: block; color: var(--mute); font-size: 13px; overflow-wrap: anywhere; }
.failed .note, .refused .note, .cut .note { color: var(--bad); }
.changed .note { color: var(--accent); }
.track { position: relative; height: 12px; }
.track i { position: absolute; top: 0; height: 12px; min-width: 3px; border-radius: 3px; background: var(--model); }
.turn-bar i { background: var(--line); }
.hook i { background: var(--hook); }
.tool i { background: var(--tool); }
.run i { background: var(--run); }
.approval i, .dialog i { background: var(--accent); }
.moment i { width: 8px; height: 8px; top: 2px; border-radius: 50%; margin-left: -4px; background: var(--mute); }
.moment.failed i { background: var(--bad); }
.cut i { background-image: repeating-linear-gradient(135deg, transparent 0 4px, var(--surface) 4px 7px); }
.ms { text-align: right; color: var(--mute); font: 13px/1.5 ui-monospace, monospace; font-variant-numeric: tabular-nums; white-space: nowrap; }
.data { padding: 4px 24px 16px; display: grid; gap: 10px; }
.data h3 { margin: 0 0 4px; font-size: 13px; font-weight: 600; color: var(--mute); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 10px; }
pre { margin: 0; padding: 10px 14px; border-radius: 8px; background: var(--sunk); font: 12.5px/1.55 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 420px; overflow: auto; }
footer { margin-top: 28px; color: var(--mute); font-size: 13px; }
@media (max-width: 720px) {
  main { padding: 24px 12px 48px; }
  .turn > header { padding: 16px; }
  summary { grid-template-columns: minmax(0, 1fr) 76px; padding: 8px 16px; row-gap: 4px; }
  .track { grid-column: 1 / -1; grid-row: 2; }
  .data { padding: 4px 16px 16px; }
}
@media print { .turn { box-shadow: none; break-inside: avoid-page; } pre { max-height: none; } }
`;
