import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeManifest } from "@patchbay/plugin-sdk/describe";
import { type Bench, openBench } from "../catalog/support.ts";
import { type FixturePlugin, writePlugin } from "../support/fixture-plugin.ts";

/** A catalogue with packages that attack it, and the place where they would leave their mark. */
export interface ConsentWorld extends AsyncDisposable {
  bench: Bench;
  /** A file outside of every package. Code that ran unwalled has written it. */
  mark: string;
  /** Statements that leave the mark. */
  leaveMark: string;
  marked(): Promise<boolean>;
  /** Writes a package into a folder of its own; its key is its name. */
  write(key: string, plugin?: FixturePlugin): Promise<string>;
}

export async function openConsentWorld(): Promise<ConsentWorld> {
  const bench = await openBench();
  const mark = join(bench.home, "..", "mark");
  return {
    bench,
    mark,
    leaveMark: `import { writeFileSync as leave } from "node:fs"; leave(${JSON.stringify(mark)}, "ran");`,
    marked: () => stat(mark).then(Boolean, () => false),
    write: (key, plugin = {}) => writePlugin(join(bench.work, key), { key, ...plugin }),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

/** The `patchbay.json` of the plugins that `writePlugin` makes, with further fields or other ones. */
export function description(key: string, manifest: Record<string, unknown> = {}): string {
  const echo = {
    manifestVersion: 1,
    key,
    displayName: "Echo",
    description: "Says what it is told.",
    tools: { namespace: key.replaceAll("-", "_"), start: () => {} },
    ...manifest,
  };
  return JSON.stringify(describeManifest(echo));
}

export function describeIn(dir: string, text: string): Promise<void> {
  return writeFile(join(dir, "patchbay.json"), text);
}
