import { readFile } from "node:fs/promises";
import { writePrivateFile } from "../../../store/index.ts";

const LONGEST_KEY = 256;
const LARGEST_VALUE = 64 * 1024;
const MOST_KEYS = 256;
const LARGEST_FILE = 1024 * 1024;

/**
 * What one plugin keeps for one agent: texts by key, in a file of its own outside the plugin's folder, so that an
 * update loses nothing. What it has accepted is on disk. Limits are fledge's.
 */
export class PluginStore {
  readonly #path: string;
  #values: Promise<Map<string, string>> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Null when nothing is kept under that key. */
  async load(key: string): Promise<string | null> {
    return (await this.#open()).get(key) ?? null;
  }

  /**
   * Keeps a value; resolves with why it was refused, or null when it is on disk. What could not be written is not kept,
   * so that nobody reads back what is lost with the app.
   */
  async store(key: string, value: string): Promise<string | null> {
    const values = await this.#open();
    const before = values.get(key);
    if (before === value) return null;
    const refusal = unfit(key, value, values);
    if (refusal) return refusal;
    values.set(key, value);
    const text = serialized(values);
    const failure =
      Buffer.byteLength(text) > LARGEST_FILE
        ? "all that it keeps would be more than 1 MiB"
        : this.#write(text);
    if (failure === null) return null;
    if (before === undefined) values.delete(key);
    else values.set(key, before);
    return failure;
  }

  /** Without waiting in between, so that runs at the same time never write one over the other. */
  #write(text: string): string | null {
    try {
      writePrivateFile(this.#path, text);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    }
  }

  #open(): Promise<Map<string, string>> {
    this.#values ??= readValues(this.#path);
    return this.#values;
  }
}

/** A file that is missing or damaged reads as empty. */
async function readValues(path: string): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  try {
    const parsed: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof parsed === "object" && parsed !== null) {
      for (const [key, value] of Object.entries(parsed))
        if (typeof value === "string") values.set(key, value);
    }
  } catch {
    return values;
  }
  return values;
}

function unfit(key: string, value: string, values: ReadonlyMap<string, string>): string | null {
  const length = Buffer.byteLength(key);
  if (length === 0 || length > LONGEST_KEY) return "its key must have 1 to 256 bytes";
  if ([...key].some((char) => char < " " || char === "\u007f")) return "its key holds control characters";
  if (Buffer.byteLength(value) > LARGEST_VALUE) return "its value is larger than 64 KiB";
  return !values.has(key) && values.size >= MOST_KEYS ? "256 keys are kept already" : null;
}

function serialized(values: ReadonlyMap<string, string>): string {
  // Not from an object literal: `__proto__` is a key like any other here.
  const entries = [...values].map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return entries.length === 0 ? "{}\n" : `{\n${entries.join(",\n")}\n}\n`;
}
