import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../../base/clock.ts";

/** For how long an icon is believed, and for how long one that could not be had is left alone. In milliseconds. */
const FRESH_MS = 7 * 24 * 60 * 60_000;
const AGAIN_MS = 60 * 60_000;
/** Most icons that are kept; then the oldest go. */
const MOST = 500;

const keptSchema = z.object({
  v: z.literal(1),
  at: z.number(),
  icon: z
    .string()
    .regex(/^data:image\/(?:png|jpeg|webp);base64,/)
    .max(90_000)
    .nullable(),
});

/** Icons by their address, on the disk. A copy that cannot be read is as good as none. */
export class IconCache {
  readonly #dir: string;
  readonly #clock: Clock;

  constructor(dir: string, clock: Clock) {
    this.#dir = dir;
    this.#clock = clock;
  }

  /** The icon at the address, null where there was none; undefined: it is to be asked for. */
  async get(address: string): Promise<string | null | undefined> {
    const text = await readFile(this.#fileOf(address), "utf8").catch(() => null);
    const kept = text === null ? undefined : keptSchema.safeParse(parsed(text)).data;
    if (kept === undefined) return undefined;
    const age = this.#clock.now() - kept.at;
    return age >= 0 && age < (kept.icon === null ? AGAIN_MS : FRESH_MS) ? kept.icon : undefined;
  }

  async put(address: string, icon: string | null): Promise<void> {
    const file = this.#fileOf(address);
    await mkdir(this.#dir, { recursive: true });
    await writeFile(`${file}.new`, JSON.stringify({ v: 1, at: this.#clock.now(), icon }), { mode: 0o600 });
    await rename(`${file}.new`, file);
    const names = await readdir(this.#dir);
    if (names.length > MOST) await this.#removeOldest(names);
  }

  /** A tenth at once, so that not every icon looks through all. */
  async #removeOldest(names: readonly string[]): Promise<void> {
    const files = await Promise.all(
      names.map(async (name) => {
        const file = join(this.#dir, name);
        return {
          file,
          at: await stat(file).then(
            ({ mtimeMs }) => mtimeMs,
            () => 0,
          ),
        };
      }),
    );
    files.sort((left, right) => left.at - right.at);
    for (const { file } of files.slice(0, files.length - MOST + MOST / 10)) await rm(file, { force: true });
  }

  #fileOf(address: string): string {
    return join(this.#dir, `${createHash("sha256").update(address).digest("hex")}.json`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
