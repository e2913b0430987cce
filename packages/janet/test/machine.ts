import { createEngine } from "../src/engine.ts";
import { pretty } from "../src/print/pretty.ts";
import type { Capabilities } from "../src/vm/host.ts";

/** A host that allows all that an engine can reach. */
export const everything: Capabilities = {
  readFiles: () => true,
  writeFiles: () => true,
  subprocess: () => true,
  network: () => true,
  environment: () => true,
};

/** Programs in engines of their own, all with this working directory. */
export function machineIn(directory: () => string) {
  /** What it printed, then its value as `%q` shows it. */
  async function run(source: string, capabilities: Capabilities = everything): Promise<string> {
    const out: string[] = [];
    const engine = createEngine({
      host: {
        capabilities,
        cwd: directory(),
        stdout: (bytes) => out.push(bytes),
        stderr: (bytes) => out.push(bytes),
      },
    });
    try {
      const value = pretty(await engine.evaluate(source, { millis: 10_000 }));
      return out.join("") + value;
    } finally {
      engine.dispose();
    }
  }
  /** The error that a form raises. */
  const failure = (source: string, capabilities?: Capabilities) =>
    run(`(get (protect ${source}) 1)`, capabilities);
  return { run, failure };
}
