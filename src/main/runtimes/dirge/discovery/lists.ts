import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** What dirge's settings say of one plugin. */
export interface DirgeSettings {
  enabled: boolean;
  autoStart: boolean;
}

const entrySchema = z.object({
  enabled: z.boolean().catch(true).default(true),
  auto_start: z.boolean().catch(false).default(false),
});
const configSchema = z.object({ plugins: z.record(z.string(), z.unknown()).catch({}).default({}) });

/**
 * Reads what `config.json` says of plugins, by their names. One that is not named is switched on.
 * @returns `problem`: a sentence when the file is there and cannot be used
 */
export async function dirgeLists(
  home: string,
): Promise<{ of(id: string): DirgeSettings; problem: string | null }> {
  const text = await readFile(join(home, "config.json"), "utf8").catch(() => null);
  const read = text === null ? { plugins: {} } : parsed(text);
  const plugins: Record<string, unknown> = read?.plugins ?? {};
  return {
    of(id) {
      const entry = Object.hasOwn(plugins, id) ? plugins[id] : {};
      const { enabled, auto_start } = entrySchema.catch({ enabled: true, auto_start: false }).parse(entry);
      return { enabled, autoStart: auto_start };
    },
    problem:
      read === null ? "dirge's config.json cannot be read, so every plugin counts as switched on." : null,
  };
}

function parsed(text: string): z.infer<typeof configSchema> | null {
  try {
    const read = configSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
