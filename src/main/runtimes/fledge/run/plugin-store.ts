import { z } from "zod";
import { isObject } from "../../../../contract/is-object.ts";
import { type Collection, only, type Rows, type Storage } from "../../../store/index.ts";

const LONGEST_KEY = 256;
const LARGEST_VALUE = 64 * 1024;
const MOST_KEYS = 256;
const LARGEST_FILE = 1024 * 1024;

type Values = Readonly<Record<string, string>>;

/** The schema is not `z.record`, because that drops a key named `__proto__`, and plugins may use any key. */
const collection: Collection<Values> = {
  name: "runtime-values",
  schema: z.custom<Values>(isObject),
  version: 1,
};

/**
 * What one plugin keeps for one agent: texts by key. They lie outside the plugin's folder, so that an update does not
 * lose them. A value that `store` accepted is on disk. The limits are those of fledge.
 */
export class PluginStore {
  readonly #rows: Rows<Values>;

  constructor(storage: Pick<Storage, "rows">, agentId: string, pluginKey: string) {
    this.#rows = storage.rows(collection, { agentId, pluginKey });
  }

  /** The text under a key, or null. */
  async load(key: string): Promise<string | null> {
    return this.#values().get(key) ?? null;
  }

  /**
   * Keeps a value. Resolves with null, or with the reason for which it was refused. A value that could not be written
   * to disk is refused, so that no run reads a value that is lost when the app ends. Changes of runs at the same time
   * do not overwrite each other.
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

  /** The stored values; those that are no texts are left out. */
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

/** A record without a prototype: in it `__proto__` is an ordinary key. */
function recordOf(values: ReadonlyMap<string, string>): Values {
  const record: Record<string, string> = Object.create(null);
  for (const [key, value] of values) record[key] = value;
  return record;
}

/** The values as JSON, in the form that fledge's limit on the size is measured by. */
function serialized(values: Values): string {
  return `${JSON.stringify(values, null, 2)}\n`;
}
