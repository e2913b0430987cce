import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import { createEngine, EvaluationError, Interrupted, pretty } from "../../src/index.ts";

/** More than an interrupted program may take, in milliseconds. */
const slow = 3_000;

/** Programs may use files here, and nothing else of the machine. */
const folder = mkdtempSync(join(tmpdir(), "patchbay-janet-fuzz-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const inside = (path: string) => resolve(folder, path).startsWith(folder + sep);
const host = {
  cwd: folder,
  capabilities: { readFiles: inside, writeFiles: inside, environment: () => true, exit: () => {} },
};

/** Runs a program within limits. @returns what the engine did that it must not do; null when all is well */
export async function judge(source: string): Promise<string | null> {
  let complaint: string | null = null;
  const engine = createEngine({
    host,
    onBackgroundError: (report) => {
      if (/^[A-Z]\w*Error/.test(report)) complaint ??= `in the background: ${report}`;
    },
  });
  const begin = performance.now();
  try {
    const environment = engine.newEnvironment();
    const value = await engine.evaluate(source, { steps: 30_000, millis: 400, environment });
    pretty(value);
  } catch (error) {
    if (!(error instanceof EvaluationError || error instanceof Interrupted))
      complaint ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    engine.dispose();
  }
  const took = performance.now() - begin;
  if (took > slow) complaint ??= `took ${Math.round(took)} ms`;
  return complaint;
}
