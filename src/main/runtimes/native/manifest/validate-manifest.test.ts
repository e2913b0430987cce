import { describe, expect, it } from "vitest";
import { asksOf, PatchbayError } from "../../../../contract/index.ts";
import type { Fact } from "../../manifest-fact.ts";
import type { Inspection } from "../../runtime.ts";
import { describeExport } from "./manifest-facts.ts";
import { validateManifest } from "./validate-manifest.ts";

const start = async () => undefined;
const packageFacts = { name: "@acme/weather", version: "2.1.0", license: "MIT", publisher: "Acme" };

/** The first block of the native contract, nothing else. */
const base = {
  manifestVersion: 1,
  key: "weather",
  displayName: "Weather",
  description: "Tells the weather.",
  tools: { namespace: "weather", start },
};

function inspect(manifest: unknown, facts: Record<string, unknown> = packageFacts): Inspection {
  // Through JSON, as the facts arrive from the host process.
  const exported = JSON.parse(JSON.stringify(describeExport({ default: manifest })));
  return validateManifest({ package: facts as typeof packageFacts, ...exported });
}

function refusal(manifest: unknown): PatchbayError {
  try {
    inspect(manifest);
  } catch (error) {
    if (error instanceof PatchbayError) return error;
    throw error;
  }
  throw new Error("the manifest was accepted");
}

interface FieldProblem {
  field: string;
  message: string;
}
const problemsOf = (manifest: unknown) => refusal(manifest).details?.problems as FieldProblem[];

describe("a manifest written to the base contract alone", () => {
  it("is accepted with tools, a channel and hooks", () => {
    const inspection = inspect({
      ...base,
      channel: { start, setup: { begin: start, poll: start } },
      hooks: { events: ["tool.before@v1", "turn.end@v1"], start },
      parseConfig: (input: unknown) => input,
    });
    expect(inspection).toEqual({
      runtime: "native",
      manifestKey: "weather",
      packageName: "@acme/weather",
      packageVersion: "2.1.0",
      displayName: "Weather",
      description: "Tells the weather.",
      capabilities: {
        tools: { namespace: "weather" },
        channel: { hasSetup: true },
        hooks: { events: ["tool.before@v1", "turn.end@v1"] },
      },
      declaration: {
        configSchema: null,
        details: { flatConfig: false },
        hasSetup: true,
        defaultConfig: null,
        secretKeys: [],
        requiredHooks: [],
        publisher: "Acme",
        license: "MIT",
      },
      consent: asksOf(null),
      warnings: [],
    });
  });

  it("may be an instance of a class, with its start on the prototype", () => {
    class Tools {
      namespace = "weather";
      start() {}
    }
    expect(inspect({ ...base, tools: new Tools() }).capabilities.tools).toEqual({ namespace: "weather" });
  });

  it("may be compiled to CommonJS", () => {
    expect(inspect({ __esModule: true, default: base }).manifestKey).toBe("weather");
  });
});

describe("what is not a manifest at all", () => {
  it.each([
    ["nothing", undefined, "no default export"],
    ["null", null, "it is null"],
    ["a number", 5, "it is 5"],
    ["a text", "plugin", 'it is "plugin"'],
    ["a function", () => base, "it is a function"],
    ["a list", [base], "it is a list"],
    ["an object of another kind", { map: start, filter: start }, "neither `manifestVersion` nor `key`"],
  ])("%s is refused with what it is", (_, value, words) => {
    const error = refusal(value);
    expect(error.code).toBe("NOT_A_PLUGIN");
    expect(error.message).toContain(words);
    expect(error.details?.problems).toEqual([{ field: "default", message: error.message }]);
  });

  it("a default export that cannot be read is refused with the reason", () => {
    const facts = describeExport({
      get default(): unknown {
        throw new Error("not today");
      },
    });
    expect(() => validateManifest({ package: packageFacts, ...facts })).toThrowError(/not today/);
  });
});

describe("a manifest with one mistake is refused with a sentence that names the field", () => {
  const { tools, ...bare } = base;
  const twice = [
    { name: "go", description: "d", run: start },
    { name: "go", description: "d", run: start },
  ];
  it.each<[string, unknown, string]>([
    ["manifestVersion", { ...base, manifestVersion: 2 }, "manifestVersion"],
    ["a manifestVersion that is a text", { ...base, manifestVersion: "1" }, "manifestVersion"],
    ["no manifestVersion", { ...base, manifestVersion: undefined }, "manifestVersion"],
    ["no capability", bare, "tools"],
    ["no key", { ...base, key: undefined }, "key"],
    ["a key of a wrong type", { ...base, key: 7 }, "key"],
    ["an upper-case key", { ...base, key: "Weather" }, "key"],
    ["a key that leads out of a folder", { ...base, key: "../weather" }, "key"],
    ["a key that is too long", { ...base, key: "a".repeat(65) }, "key"],
    ["no displayName", { ...base, displayName: undefined }, "displayName"],
    ["an empty displayName", { ...base, displayName: " " }, "displayName"],
    ["no description", { ...base, description: undefined }, "description"],
    ["a description of a wrong type", { ...base, description: ["x"] }, "description"],
    ["parseConfig that is no function", { ...base, parseConfig: {} }, "parseConfig"],
    ["tools that are no object", { ...base, tools: [tools] }, "tools"],
    ["no namespace", { ...base, tools: { start } }, "tools.namespace"],
    ["a namespace with a dash", { ...base, tools: { start, namespace: "my-tools" } }, "tools.namespace"],
    [
      "a namespace that is too long",
      { ...base, tools: { start, namespace: "a".repeat(33) } },
      "tools.namespace",
    ],
    ["the reserved namespace", { ...base, tools: { start, namespace: "mcp" } }, "tools.namespace"],
    ["tools without start", { ...base, tools: { namespace: "weather" } }, "tools.start"],
    ["a channel without start", { ...base, channel: {} }, "channel.start"],
    ["a setup without poll", { ...base, channel: { start, setup: { begin: start } } }, "channel.setup.poll"],
    ["hooks without start", { ...base, hooks: { events: ["turn.end@v1"] } }, "hooks.start"],
    ["hooks without events", { ...base, hooks: { start } }, "hooks.events"],
    [
      "an unknown event",
      { ...base, hooks: { start, events: ["turn.end@v1", "turn.over@v1"] } },
      "hooks.events[1]",
    ],
    ["an event that is no text", { ...base, hooks: { start, events: [1] } }, "hooks.events[0]"],
    ["a command without run", { ...base, commands: [{ name: "x", description: "d" }] }, "commands[0].run"],
    [
      "a command with a slash",
      { ...base, commands: [{ name: "/x", description: "d", run: start }] },
      "commands[0].name",
    ],
    ["a command given twice", { ...base, commands: twice }, "commands[1].name"],
    [
      "a skill outside the package",
      { ...base, skills: [{ name: "s", description: "d", path: "a/../../b.md" }] },
      "skills[0].path",
    ],
    [
      "a secret for a host with a star",
      { ...base, secretKeys: [{ key: "token", sentOnlyTo: ["*.example.com"] }] },
      "secretKeys[0].sentOnlyTo",
    ],
    [
      "a secret for an address instead of a host",
      { ...base, secretKeys: [{ key: "token", sentOnlyTo: ["https://api.example.com/v1"] }] },
      "secretKeys[0].sentOnlyTo",
    ],
    [
      "a secret that only a host gets beside a setup that the plugin sees",
      {
        ...base,
        setup: { begin: start, poll: start },
        secretKeys: [{ key: "token", sentOnlyTo: ["a.example"] }],
      },
      "secretKeys",
    ],
    ["a secret key without a key", { ...base, secretKeys: [{ label: "Token" }] }, "secretKeys[0].key"],
    [
      "a secret key given twice",
      {
        ...base,
        secretKeys: [
          { key: "a", label: "A" },
          { key: "a", label: "B" },
        ],
      },
      "secretKeys[1].key",
    ],
    [
      "a form field of an unknown kind",
      { ...base, configFields: [{ kind: "date", key: "d", label: "D" }] },
      "configFields[0].kind",
    ],
    ["a defaultConfig that is a list", { ...base, defaultConfig: [] }, "defaultConfig"],
    ["permissions of a wrong form", { ...base, permissions: { files: "some" } }, "permissions.files"],
    ["a schema that is none", { ...base, configSchema: "x" }, "configSchema"],
    ["a schema with an unknown type", { ...base, configSchema: { type: "text" } }, "configSchema"],
    [
      "a schema with a reference to elsewhere",
      { ...base, configSchema: { $ref: "http://example.com/s.json" } },
      "configSchema",
    ],
  ])("%s", (_, manifest, field) => {
    const error = refusal(manifest);
    expect(error.code).toBe("MANIFEST_INVALID");
    expect(problemsOf(manifest)).toEqual([{ field, message: error.message }]);
    expect(error.message).toContain(field.replace(/\.start$/, ""));
    expect(error.message).toMatch(/author/);
    expect(error.message).toMatch(/^\S.*\.$/s);
  });
});

describe("a manifest with several mistakes", () => {
  it("is told all of them at once, the first one as the message", () => {
    const error = refusal({
      manifestVersion: 1,
      key: "A B",
      tools: { namespace: "mcp" },
      hooks: { events: ["x"], start: 1 },
    });
    const problems = error.details?.problems as FieldProblem[];
    expect(problems.map(({ field }) => field)).toEqual([
      "key",
      "displayName",
      "description",
      "tools.start",
      "tools.namespace",
      "hooks.start",
      "hooks.events[0]",
    ]);
    expect(error.message).toBe(problems[0]?.message);
    expect(error.help).toContain("6 more");
  });

  it("of another version is judged by its version alone", () => {
    expect(problemsOf({ manifestVersion: 7, key: "A B" }).map(({ field }) => field)).toEqual([
      "manifestVersion",
    ]);
  });

  it("names the event that was probably meant", () => {
    const error = refusal({ ...base, hooks: { start, events: ["tool.before"] } });
    expect(error.message).toContain('Perhaps "tool.before@v1" is meant.');
  });
});

describe("what is odd but harmless", () => {
  it("is a warning: unknown keys at every level, an unreadable icon, an address that is none", () => {
    const { warnings } = inspect({
      ...base,
      colour: "red",
      tools: { ...base.tools, prefix: "x" },
      icon: "missing.png",
      homepage: "javascript:alert(1)",
    });
    expect(warnings).toHaveLength(4);
    expect(warnings.join()).toContain("`colour`");
    expect(warnings.join()).toContain("`tools.prefix`");
    expect(warnings.join()).toContain("`icon`");
    expect(warnings.join()).toContain("`homepage`");
  });

  it("is a package without name and version", () => {
    const inspection = inspect(base, { name: "", version: "" });
    expect(inspection).toMatchObject({ packageName: "weather", packageVersion: "0.0.0" });
    expect(inspection.warnings).toHaveLength(2);
  });
});

describe("an older channel package", () => {
  const legacy = {
    manifestVersion: 1,
    key: "telegram",
    namespace: "telegram",
    displayName: "Telegram",
    start,
    secretKeys: [{ key: "bot_token", label: "Bot token" }],
    configFields: [{ kind: "string_list", key: "allowed", label: "Allowed chats" }],
    defaultConfig: { allowed: [] },
    setup: { begin: start, poll: start },
  };

  it("is a plugin with one channel, its form and defaults inside `channel`", () => {
    const inspection = inspect(legacy);
    expect(inspection.capabilities).toEqual({ channel: { hasSetup: true, namespace: "telegram" } });
    expect(inspection.description).toBe("Telegram channel");
    expect(inspection.warnings).toEqual([]);
    expect(inspection.declaration).toMatchObject({
      legacyChannel: true,
      settingsRoot: ["channel"],
      defaultConfig: { channel: { allowed: [] } },
      secretKeys: [{ key: "bot_token", label: "Bot token", path: ["channel", "bot_token"] }],
      configSchema: { properties: { channel: { properties: { bot_token: {}, allowed: {} } } } },
    });
  });
});

describe("a hostile export", () => {
  it("with getters that throw, cycles, symbols and huge values is described, not followed", () => {
    const cyclic: Record<string, unknown> = { ...base };
    cyclic.self = cyclic;
    Object.defineProperty(cyclic, "tools", {
      enumerable: true,
      get() {
        throw new Error("boo");
      },
    });
    cyclic.big = 10n;
    cyclic.mark = Symbol("x");
    const problems = problemsOf(cyclic);
    expect(problems).toEqual([{ field: "tools", message: expect.stringContaining("boo") }]);
  });

  it("of enormous size is cut off", () => {
    const facts = describeExport({
      default: { ...base, junk: Array.from({ length: 1_000_000 }, () => ({})) },
    });
    expect(JSON.stringify(facts).length).toBeLessThan(2_000_000);
    const text = describeExport({ default: { ...base, description: "x".repeat(10_000_000) } });
    expect(JSON.stringify(text).length).toBeLessThan(10_000);
  });

  it("cannot reach prototypes through its keys", () => {
    const manifest = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}');
    Object.assign(manifest, base);
    const { warnings } = inspect(manifest);
    expect(warnings.join()).toContain("__proto__");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("described by a process that lies about it is refused", () => {
    const nonsense = { kind: "object", fields: { key: { kind: "text", value: 5 } } } as unknown as Fact;
    const facts = {
      package: packageFacts,
      defaultExport: nonsense,
      configSchema: { kind: "absent" as const },
    };
    expect(() => validateManifest(facts)).toThrowError(expect.objectContaining({ code: "NOT_A_PLUGIN" }));
    let deep: unknown = { kind: "null" };
    for (let level = 0; level < 5_000; level += 1) deep = { kind: "list", items: [deep] };
    expect(() => validateManifest({ ...facts, defaultExport: deep as Fact })).toThrowError(
      expect.objectContaining({ code: "NOT_A_PLUGIN" }),
    );
  });

  it("whose schema converter throws is refused with its reason", () => {
    const configSchema = {
      "~standard": {
        version: 1,
        vendor: "x",
        jsonSchema: {
          input: () => {
            throw new Error("cannot convert dates");
          },
        },
      },
    };
    expect(refusal({ ...base, configSchema }).message).toContain("cannot convert dates");
  });
});
