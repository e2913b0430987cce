import { expect, it } from "vitest";
import { declarationSchema, PatchbayError } from "../../contract/index.ts";
import { describeExport } from "../runtimes/native/manifest/manifest-facts.ts";
import { validateManifest } from "../runtimes/native/manifest/validate-manifest.ts";
import { wrapConfig } from "../runtimes/native/manifest/wrap-settings.ts";
import type { Inspection } from "../runtimes/runtime.ts";
import { findReferences, resolveReferences } from "../secrets/index.ts";
import { validateConfig } from "./index.ts";

const SEEDS = Array.from({ length: 400 }, (_, seed) => seed + 1);

/** Random values from a seed (mulberry32), the same for the same seed. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  one<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.next() * choices.length)];
    return choice as T;
  }

  text(): string {
    const parts = [
      "a",
      "B",
      "-",
      "_",
      "${A}",
      "${{B}}",
      "$",
      "{",
      "}",
      "tool.before@v1",
      "\u0000",
      "é",
      "/",
      "..",
      "",
    ];
    return Array.from({ length: Math.floor(this.next() * 5) }, () => this.one(parts)).join("");
  }

  value(depth = 0): unknown {
    const kind = Math.floor(this.next() * (depth > 3 ? 8 : 10));
    switch (kind) {
      case 0:
        return undefined;
      case 1:
        return null;
      case 2:
        return this.one([0, 1, 2, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]);
      case 3:
        return this.next() < 0.5;
      case 4:
        return () => 1;
      case 5:
        return this.one<unknown>([1n, Symbol("s"), new Date(0), /x/, new Map([[1, 2]])]);
      case 6:
      case 7:
        return this.text();
      case 8:
        return Array.from({ length: Math.floor(this.next() * 4) }, () => this.value(depth + 1));
      default:
        return this.object(["a", "tools", "type", "properties", "__proto__", "toString"], depth + 1);
    }
  }

  object(keys: readonly string[], depth = 0): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const key of keys) {
      if (this.next() < 0.5) {
        Object.defineProperty(object, key, { value: this.value(depth), enumerable: true, writable: true });
      }
    }
    return object;
  }
}

const manifest = () => ({
  manifestVersion: 1,
  key: "any",
  displayName: "Any",
  description: "Anything.",
  tools: { namespace: "any", start: () => {} },
});

const fields = [
  ...[
    "manifestVersion",
    "key",
    "displayName",
    "description",
    "parseConfig",
    "tools",
    "channel",
    "hooks",
    "configSchema",
  ],
  ...[
    "secretKeys",
    "configFields",
    "defaultConfig",
    "setup",
    "commands",
    "skills",
    "permissions",
    "icon",
    "start",
  ],
];

function outcome(value: unknown): Inspection | PatchbayError {
  try {
    const facts = JSON.parse(JSON.stringify(describeExport({ default: value })));
    return validateManifest({ package: { name: "any", version: "1.0.0" }, ...facts });
  } catch (error) {
    if (error instanceof PatchbayError) return error;
    throw error;
  }
}

it("whatever a package exports is accepted whole or refused with sentences", () => {
  let accepted = 0;
  for (const seed of SEEDS) {
    const dice = new Dice(seed);
    // One or two fields of a good manifest replaced by anything at all, or anything at all instead of it.
    const value = seed % 10 === 0 ? dice.value() : manifest();
    if (typeof value === "object" && value !== null) {
      for (let times = 0; times <= seed % 2; times += 1)
        Object.assign(value, { [dice.one(fields)]: dice.value() });
    }
    const result = outcome(value);
    if (result instanceof PatchbayError) {
      expect(["NOT_A_PLUGIN", "MANIFEST_INVALID"], `seed ${seed}`).toContain(result.code);
      expectSentences(result, seed);
    } else {
      accepted += 1;
      expect(declarationSchema.safeParse(result.declaration).error, `seed ${seed}`).toBeUndefined();
    }
  }
  expect(accepted).toBeGreaterThan(20);
  expect(accepted).toBeLessThan(SEEDS.length - 20);
});

function expectSentences(error: PatchbayError, seed: number): void {
  const problems = error.details?.problems as { field: string; message: string }[];
  expect(problems.length, `seed ${seed}`).toBeGreaterThan(0);
  for (const { field, message } of problems) {
    expect(field, `seed ${seed}`).not.toBe("");
    expect(message, `seed ${seed}`).toMatch(/^[`TI].*\.$/s);
    expect(message, `seed ${seed}`).not.toMatch(/undefined|\[object/);
  }
}

it("whatever settings are given are wrapped and valid, or refused by field", () => {
  const configSchema = {
    type: "object",
    properties: { a: { type: "string", minLength: 2 }, tools: { type: "array", items: { type: "number" } } },
    additionalProperties: { type: "object" },
  };
  const found = outcome({ ...manifest(), configSchema });
  if (found instanceof PatchbayError) throw found;
  const { declaration, capabilities } = found;
  let accepted = 0;
  for (const seed of SEEDS) {
    const config = asJson(new Dice(seed).object(["a", "b", "tools", "hooks", "channel"]));
    try {
      const wrapped = wrapConfig(declaration, capabilities, config);
      expect(Object.keys(wrapped).filter((key) => key !== "tools")).toEqual([]);
      validateConfig(declaration, wrapped);
      accepted += 1;
    } catch (error) {
      if (!(error instanceof PatchbayError)) throw error;
      expect(error.code, `seed ${seed}`).toBe("CONFIG_INVALID");
      const [first] = (error.details?.fields ?? []) as { path: string; message: string }[];
      expect(first, `seed ${seed}`).toEqual({ path: expect.any(String), message: error.message });
    }
  }
  expect(accepted).toBeGreaterThan(20);
  expect(accepted).toBeLessThan(SEEDS.length - 20);
});

it("whatever texts refer to is found and replaced, and nothing else is touched", () => {
  const oneSpelling = (value: unknown) => JSON.stringify(value).replace(/\$\{\{([A-Z])\}\}/g, "$${$1}");
  let references = 0;
  for (const seed of SEEDS) {
    const config = asJson({ value: new Dice(seed).value(), text: new Dice(seed + 1_000).text() });
    const names = findReferences(config);
    references += names.length;
    const same = resolveReferences(config, (name) => `\${${name}}`);
    expect(same.missing, `seed ${seed}`).toEqual([]);
    expect(oneSpelling(same.config), `seed ${seed}`).toBe(oneSpelling(config));
    expect(resolveReferences(config, () => undefined).missing, `seed ${seed}`).toEqual(names);
    const filled = JSON.stringify(resolveReferences(config, (name) => `<${name}>`).config);
    for (const name of names) expect(filled, `seed ${seed}`).toContain(`<${name}>`);
  }
  expect(references).toBeGreaterThan(50);
});

/** The value after a way through JSON, as it arrives from another process: what JSON cannot express is left out. */
function asJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? null : part));
  return text === undefined ? null : JSON.parse(text);
}
