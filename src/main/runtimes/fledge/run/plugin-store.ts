import { z } from "zod";
import { type Collection, only, type Rows, type Storage } from "../../../store/index.ts";

const LONGEST_KEY = 256;
const LARGEST_VALUE = 64 * 1024;
const MOST_KEYS = 256;
const LARGEST_FILE = 1024 * 1024;

type Values = Readonly<Record<string, string>>;

/** Not a record of zod, which leaves out `__proto__`: that is a key like any other here. */
const collection: Collection<Values> = {
  name: "program-values",
  schema: z.custom<Values>((value) => typeof value === "object" && value !== null && !Array.isArray(value)),
  version: 1,
};

/**
 * What one plugin keeps for one agent: texts by key, outside the plugin's folder, so that an update loses nothing. What it
 * has accepted outlives the app. Limits are fledge's.
 */
export class PluginStore {
  readonly #rows: Rows<Values>;

  constructor(storage: Pick<Storage, "rows">, agentId: string, pluginKey: string) {
    this.#rows = storage.rows(collection, { agentId, pluginKey });
  }

  /** Null when nothing is kept under that key. */
  async load(key: string): Promise<string | null> {
    return this.#values().get(key) ?? null;
  }

  /**
   * Keeps a value; resolves with why it was refused, or null when it is kept. What could not be written is not kept, so that
   * nobody reads back what is lost with the app. Runs at the same time never write one over the other.
   */
  async store(key: string, value: string): Promise<string | null> {
    let refusal: string | null = null;
    try {
      await this.#rows.change(only, (current) => {
        const values = this.#values();
        refusal = values.get(key) === value ? null : unfit(key, value, values);
        if (refusal !== null || values.get(key) === value) return current;
        const next = recordOf(values.set(key, value));
        if (Buffer.byteLength(serialized(next)) <= LARGEST_FILE) return next;
        refusal = "all that it keeps would be more than 1 MiB";
        return current;
      });
      return refusal;
    } catch (error) {
      return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    }
  }

  async close(): Promise<void> {
    await this.#rows.close();
  }

  /** Damaged values are left out. */
  #values(): Map<string, string> {
    return new Map(
      Object.entries(this.#rows.get(only) ?? {}).filter(([, value]) => typeof value === "string"),
    );
  }
}

function unfit(key: string, value: string, values: ReadonlyMap<string, string>): string | null {
  const length = Buffer.byteLength(key);
  if (length === 0 || length > LONGEST_KEY) return "its key must have 1 to 256 bytes";
  if ([...key].some((char) => char < " " || char === "\u007f")) return "its key holds control characters";
  if (Buffer.byteLength(value) > LARGEST_VALUE) return "its value is larger than 64 KiB";
  return !values.has(key) && values.size >= MOST_KEYS ? "256 keys are kept already" : null;
}

/** Without a prototype, `__proto__` is a key like any other. */
function recordOf(values: ReadonlyMap<string, string>): Values {
  const record: Record<string, string> = Object.create(null);
  for (const [key, value] of values) record[key] = value;
  return record;
}

/** As it lies in its file, which is what the limit counts. */
function serialized(values: Values): string {
  return `${JSON.stringify(values, null, 2)}\n`;
}
