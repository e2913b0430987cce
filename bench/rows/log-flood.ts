import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentPluginRow, LogEntry } from "../../src/contract/index.ts";
import { systemClock } from "../../src/main/base/clock.ts";
import { Journal } from "../../src/main/pool/journal/journal.ts";
import { KeptLogs } from "../../src/main/pool/journal/kept-logs.ts";
import type { PoolOptions } from "../../src/main/pool/ports.ts";
import { Redaction } from "../../src/main/secrets/redaction/redaction.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import type { Row } from "../row.ts";
import { interleaved, median } from "../stats.ts";

const lines = 100_000;
/** What every line goes through, with as many secrets as somebody with several channels has. */
const secrets = new Redaction();
for (let secret = 0; secret < 20; secret += 1) secrets.add(randomBytes(24).toString("base64"));
const vault = { redact: (text: string) => secrets.text(text) };

/** A plugin logs a hundred thousand lines at once: what it costs to keep them, against the log in memory alone. */
export const logFlood: Row = {
  id: "log-flood",
  async run({ quick }) {
    const home = await mkdtemp(join(tmpdir(), "patchbay-bench-"));
    try {
      const times = await interleaved(
        { memory: async () => flood(() => {}), kept: () => keptFlood(home) },
        quick ? 3 : 9,
        1,
      );
      const [memory, kept] = [median(times.memory), median(times.kept)];
      return [
        {
          row: "log-flood",
          what: `${lines.toLocaleString("en")} log lines of a plugin, kept over a restart`,
          value: kept,
          unit: "ms",
          baseline: { what: "in memory alone", value: memory },
          goal: "≤ 1.3 × in memory alone",
          met: kept <= 1.3 * memory,
          notes: { ratio: (kept / memory).toFixed(2) },
        },
      ];
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};

function flood(logged: (entry: LogEntry) => void): void {
  const journal = new Journal("ada", "probe", { vault } as unknown as PoolOptions, systemClock, logged);
  for (let line = 0; line < lines; line += 1)
    journal.log("info", `Line ${line} of a flood that says little.`);
}

async function keptFlood(home: string): Promise<void> {
  const changes = new EventEmitter<{ log: [string, string, LogEntry] }>();
  const kept = new KeptLogs({
    storage: openFileStorage({ home, onNotice() {} }),
    agents: { list: () => [] },
    agentPlugins: { get: () => ({}) as AgentPluginRow, isReadable: () => true, changes: new EventEmitter() },
    setAside: { list: () => [] },
    vault,
    pool: () => ({ changes, logs: () => [] }),
    onNotice() {},
  });
  kept.follow();
  flood((entry) => void changes.emit("log", "ada", "probe", entry));
  await kept.close();
}
