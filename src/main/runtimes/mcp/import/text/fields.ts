/** What another program's file holds, read field by field: what has another form than expected is not there. */
export class Fields {
  readonly #value: ReadonlyMap<string, unknown>;

  constructor(value: unknown) {
    // Only the value's own fields count, whatever they are called.
    this.#value = new Map(isRecord(value) ? Object.entries(value) : []);
  }

  get names(): string[] {
    return [...this.#value.keys()];
  }

  has(name: string): boolean {
    return this.#value.has(name);
  }

  raw(name: string): unknown {
    return this.#value.get(name);
  }

  text(...names: string[]): string | undefined {
    for (const name of names) {
      const found = this.#value.get(name);
      if (typeof found === "string" && found !== "") return found;
    }
    return undefined;
  }

  flag(name: string): boolean | undefined {
    const found = this.#value.get(name);
    return typeof found === "boolean" ? found : undefined;
  }

  at(...names: string[]): Fields {
    return names.reduce<Fields>((fields, name) => new Fields(fields.raw(name)), this);
  }

  /** The texts of a list; absent where it is none. Numbers count as texts. */
  texts(...names: string[]): string[] | undefined {
    for (const name of names) {
      const found = this.#value.get(name);
      if (Array.isArray(found)) return found.filter((one) => plainText(one) !== null).map(String);
    }
    return undefined;
  }

  /** A record of texts: environment variables, headers. */
  record(...names: string[]): Map<string, string> {
    const record = new Map<string, string>();
    for (const name of names) {
      for (const [key, value] of new Fields(this.#value.get(name)).entries()) {
        const text = plainText(value);
        if (text !== null) record.set(key, text);
      }
    }
    return record;
  }

  entries(): [string, unknown][] {
    return [...this.#value];
  }
}

function plainText(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
