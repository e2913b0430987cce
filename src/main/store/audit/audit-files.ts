import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PRIVATE_FILE, readError, systemCode, writeError } from "../files/files.ts";
import { readLine } from "./chain.ts";

const DAY = /^(\d{4}-\d\d-\d\d)\.jsonl$/;

/** Something that did not fit when it was looked at, and is remembered although the log went on. */
export const breakSchema = z.object({
  /** When it was noticed. */
  noticedAt: z.iso.datetime(),
  kind: z.enum(["seal_gone", "seal_changed", "cut", "rewritten"]),
  /** The number of the newest line that the seal vouched for. */
  n: z.number().int(),
});
export type ChainBreak = z.infer<typeof breakSchema>;

/** The seal: says how far the log reached, with a signature that only this Patchbay can make. */
const headSchema = z.object({
  n: z.number().int(),
  hash: z.string(),
  day: z.string(),
  breaks: z.array(breakSchema),
  mac: z.string(),
});
export type AuditHead = z.infer<typeof headSchema>;

/** One line of a day's file. `torn`: it has no line end and is no whole entry, because the process was killed. */
export interface StoredLine {
  number: number;
  text: string;
  torn: boolean;
}

/** The files of the audit log as texts, and its seal `head.json` beside them. */
export class AuditFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The days that have a file, oldest first. */
  async days(): Promise<string[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return [];
      throw readError(error, this.#folder);
    });
    return names.flatMap((name) => DAY.exec(name)?.[1] ?? []).sort();
  }

  /** The lines of a day, oldest first. @throws PatchbayError READ_FAILED */
  async *lines(day: string): AsyncGenerator<StoredLine, void> {
    let number = 0;
    let rest = "";
    try {
      for await (const chunk of createReadStream(this.#path(day), { encoding: "utf8" })) {
        const parts = (rest + chunk).split("\n");
        rest = parts.pop() ?? "";
        for (const text of parts) yield { number: ++number, text, torn: false };
      }
    } catch (error) {
      if (systemCode(error) === "ENOENT") return;
      throw readError(error, this.#path(day));
    }
    if (rest !== "") yield { number: number + 1, text: rest, torn: readLine(rest) === null };
  }

  /** The newest whole line of all days; null when there is none. */
  async newest(): Promise<{ day: string; text: string } | null> {
    for (const day of (await this.days()).reverse()) {
      let newest: string | null = null;
      for await (const { text, torn } of this.lines(day)) if (!torn && text !== "") newest = text;
      if (newest !== null) return { day, text: newest };
    }
    return null;
  }

  /** The seal; null when there is none, `damaged` when it cannot be read. */
  async head(): Promise<AuditHead | null | "damaged"> {
    try {
      return headSchema.parse(JSON.parse(await readFile(this.#headPath, "utf8")));
    } catch (error) {
      return systemCode(error) === "ENOENT" ? null : "damaged";
    }
  }

  /**
   * Replaces the seal, after the lines that it vouches for have reached the disk: after a power cut there may be lines
   * that it does not know, never the other way round.
   *
   * @throws PatchbayError DISK_FULL, WRITE_FAILED
   */
  async writeHead(head: AuditHead): Promise<void> {
    const draft = `${this.#headPath}.${randomBytes(6).toString("hex")}.tmp`;
    try {
      await flush(this.#path(head.day));
      const file = await open(draft, "wx", PRIVATE_FILE);
      try {
        await file.writeFile(`${JSON.stringify(head)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, this.#headPath);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      throw writeError(error, this.#headPath);
    }
  }

  get #headPath(): string {
    return join(this.#folder, "head.json");
  }

  #path(day: string): string {
    return join(this.#folder, `${day}.jsonl`);
  }
}

async function flush(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
