import { parentPort, workerData } from "node:worker_threads";
import fc from "fast-check";
import { judge } from "./judge.ts";
import { programs } from "./programs.ts";

/** Tries programs of one seed, and tells which before each, so that one that never ends is known. */
const { seed, count, sources } = workerData as { seed: number; count: number; sources: string[] };
let current = "";
const tell = (complaint: string) => parentPort?.postMessage({ source: current, complaint });
process.on("unhandledRejection", (reason) => tell(`unhandled: ${(reason as Error)?.stack ?? reason}`));
process.on("uncaughtException", (error) => tell(`uncaught: ${error.stack}`));
for (const source of fc.sample(programs(sources), { seed, numRuns: count })) {
  current = source;
  parentPort?.postMessage({ source });
  const complaint = await judge(source);
  if (complaint !== null) tell(complaint);
}
parentPort?.postMessage({ done: true });
