/**
 * Tries random programs for some minutes and prints each that makes the engine fail in a way that no program should:
 * `node packages/janet/test/fuzz.ts MINUTES [SEED]`.
 */
import { Worker } from "node:worker_threads";
import { truthCases } from "./truth-cases.ts";

/** Without a word for so long, in milliseconds, a program hangs; a worker may take longer to begin. */
const patience = 30_000;
const patienceAtFirst = 180_000;
const [minutes = "1", firstSeed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const until = Date.now() + Number(minutes) * 60_000;
const sources = (truthCases() ?? []).map(({ code }) => code);
console.log(`seed ${firstSeed}, ${sources.length} programs to begin with`);

const seen = new Map<string, number>();
let tried = 0;
/** Prints a complaint, but each kind a few times only. */
function complain(source: string, complaint: string): void {
  const kind = complaint.split("\n").slice(0, 3).join("\n").replace(/\d+/g, "N");
  const times = (seen.get(kind) ?? 0) + 1;
  seen.set(kind, times);
  if (times <= 2)
    console.log(`\n=== ${JSON.stringify(source)}\n${complaint.split("\n").slice(0, 8).join("\n")}`);
}

function batch(seed: number): Promise<void> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./fuzz/worker.ts", import.meta.url), {
      workerData: { seed, count: 400, sources },
      resourceLimits: { maxOldGenerationSizeMb: 400 },
    });
    let source = "";
    const hangs = () => {
      complain(source, "hangs");
      void worker.terminate();
    };
    let timer = setTimeout(hangs, patienceAtFirst);
    worker.on("message", (message: { source?: string; complaint?: string }) => {
      clearTimeout(timer);
      timer = setTimeout(hangs, patience);
      if (message.source !== undefined) source = message.source;
      if (message.complaint !== undefined) complain(source, message.complaint);
      else tried++;
    });
    worker.on("error", (error) => complain(source, `the worker ended: ${error.message}`));
    worker.on("exit", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

for (let seed = Number(firstSeed); Date.now() < until; seed++) await batch(seed);
console.log(`\n${tried} programs, ${seen.size} kinds of failures`);
for (const [kind, times] of seen) console.log(`${times} × ${kind.split("\n")[0]}`);
process.exit(seen.size > 0 ? 1 : 0);
