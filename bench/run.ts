import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildCore } from "./core/build.ts";
import { circumstances, plain, report, withRun } from "./report.ts";
import type { Result, Row } from "./row.ts";
import { channel } from "./rows/channel.ts";
import { dirge } from "./rows/dirge.ts";
import { discoverSearch } from "./rows/discover-search.ts";
import { enable } from "./rows/enable.ts";
import { firstPaint } from "./rows/first-paint.ts";
import { fledgeCall } from "./rows/fledge-call.ts";
import { flowly } from "./rows/flowly.ts";
import { homeUpdates } from "./rows/home-updates.ts";
import { idleChannel } from "./rows/idle-channel.ts";
import { ircCrowd } from "./rows/irc-crowd.ts";
import { janet } from "./rows/janet.ts";
import { lastError } from "./rows/last-error.ts";
import { logFlood } from "./rows/log-flood.ts";
import { logScroll } from "./rows/log-scroll.ts";
import { matrixScroll } from "./rows/matrix-scroll.ts";
import { mcp } from "./rows/mcp.ts";
import { memory } from "./rows/memory.ts";
import { recording } from "./rows/recording.ts";
import { runtimeState } from "./rows/runtime-state.ts";
import { start } from "./rows/start.ts";
import { timeline } from "./rows/timeline.ts";
import { toolCall } from "./rows/tool-call.ts";
import { walls } from "./rows/walls.ts";

const rows: Row[] = [
  start,
  enable,
  walls,
  toolCall,
  recording,
  fledgeCall,
  flowly,
  dirge,
  runtimeState,
  channel,
  idleChannel,
  ircCrowd,
  janet,
  lastError,
  memory,
  mcp,
  firstPaint,
  discoverSearch,
  homeUpdates,
  matrixScroll,
  logFlood,
  logScroll,
  timeline,
];

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    markdown: { type: "string" },
  },
});
const wanted = rows.filter(({ id }) => values.only === undefined || values.only.includes(id));
if (wanted.length === 0) {
  console.error(`There is no such row. There are: ${rows.map(({ id }) => id).join(", ")}.`);
  process.exit(2);
}

const log = (text: string) => process.stderr.write(`${text}\n`);
const where = circumstances(values.quick);
if (wanted.some(({ id }) => id !== janet.id)) await buildCore();
const results: Result[] = [];
for (const row of wanted) {
  log(`measuring ${row.id} …`);
  results.push(...(await row.run({ quick: values.quick, log })));
}
const done = report(where, results);
console.log(values.json ? JSON.stringify(done, null, 2) : plain(done));
if (values.markdown !== undefined)
  writeFileSync(values.markdown, withRun(readFileSync(values.markdown, "utf8"), done));
