import fc from "fast-check";
import { stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import { PatchbayError } from "../../../../contract/index.ts";
import { type CommandArgument, inputSchema } from "./arguments.ts";
import { argvFor } from "./argv.ts";
import { readPluginToml } from "./plugin-toml.ts";
import { kindOf } from "./program-file.ts";
import { splitWords } from "./shell-words.ts";
import { namesOf } from "./tool-names.ts";

const anyValue = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.array(fc.string(), { maxLength: 3 }),
);

describe("the manifest reader", () => {
  test("answers any text with a manifest or a sentence", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => judged(text)),
      { numRuns: 500 },
    );
  });

  test("answers any values in any known field with a manifest or a sentence that names the field", () => {
    const table = (...names: string[]) =>
      fc.dictionary(
        fc.constantFrom(...names),
        fc.oneof(anyValue, fc.dictionary(fc.string(), anyValue, { maxKeys: 2 })),
        { maxKeys: 4 },
      );
    const document = fc.record(
      {
        plugin: fc.oneof(
          anyValue,
          table("name", "version", "protocol", "runtime", "commands", "description", "data"),
        ),
        commands: fc.oneof(
          anyValue,
          fc.array(table("name", "binary", "args", "dangerous", "description"), { maxLength: 3 }),
        ),
        capabilities: fc.oneof(anyValue, table("exec", "store", "metadata", "network", "filesystem")),
        hooks: fc.oneof(
          anyValue,
          table("build", "post_install", "pre_init", "pre_push"),
          fc.array(table("build", "name", "event", "command", "run"), { maxLength: 3 }),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(document, (value) => judged(stringify(value))),
      { numRuns: 500 },
    );
  });

  test("names every plugin so that its key, namespace and tools are valid and apart", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.uniqueArray(fc.string({ minLength: 1 })),
        (name, commands) => {
          const { key, namespace, tools } = namesOf({ name, commands: commands.map(command) });
          expect(key).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
          expect(namespace).toMatch(/^[a-z][a-z0-9_]{0,31}$/);
          for (const tool of tools.values()) expect(tool).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(new Set(tools.values()).size).toBe(commands.length);
        },
      ),
    );
  });

  function judged(text: string): void {
    try {
      expect(readPluginToml(text).commands.length).toBeGreaterThan(0);
    } catch (error) {
      if (!(error instanceof PatchbayError)) throw error;
      expect(error.code).toBe("MANIFEST_INVALID");
      expect(error.details?.problems).toMatchObject([
        { field: expect.any(String), message: expect.stringMatching(/\.$/) },
        ...skip(error),
      ]);
    }
  }

  function skip(error: PatchbayError): unknown[] {
    const problems = error.details?.problems;
    return Array.isArray(problems) ? problems.slice(1) : [];
  }

  function command(name: string) {
    return { name, binary: "x", description: "", args: null, danger: "unknown" as const };
  }
});

describe("arguments", () => {
  const args = fc
    .uniqueArray(
      fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== "args" && name !== "__proto__"),
      { minLength: 2, maxLength: 6 },
    )
    .chain((names) => fc.tuple(...names.map((name) => argument(name))));

  function argument(name: string): fc.Arbitrary<CommandArgument> {
    return fc.record({
      name: fc.constant(name),
      type: fc.constant("string" as const),
      required: fc.boolean(),
      description: fc.constant(""),
      choices: fc.constant(null),
      fallback: fc.option(fc.string(), { nil: undefined }),
      items: fc.constant(null),
      flag: fc.constant(null),
    });
  }

  test("stand where they were declared, or the call is refused", () => {
    fc.assert(
      fc.property(
        args,
        fc.array(fc.option(fc.string({ maxLength: 6 }), { nil: undefined }), { minLength: 6, maxLength: 6 }),
        (declared, values) => {
          const input = Object.fromEntries(
            declared.flatMap(({ name }, at) => (values[at] === undefined ? [] : [[name, values[at]]])),
          );
          let argv: string[];
          try {
            argv = argvFor({ name: "c", args: declared }, input);
          } catch (error) {
            expect(error).toMatchObject({ code: "ARGUMENTS_INVALID" });
            return;
          }
          argv.forEach((text, at) => {
            expect(text).toBe(values[at] ?? declared[at]?.fallback);
          });
          const given = declared.findLastIndex((_one, at) => values[at] !== undefined);
          expect(argv.length).toBeGreaterThan(given);
        },
      ),
    );
  });

  test("of any kind are refused in words or taken", () => {
    fc.assert(
      fc.property(args, fc.dictionary(fc.string(), fc.jsonValue()), (declared, input) => {
        expect(inputSchema(declared)).toMatchObject({ additionalProperties: false });
        for (const declaration of [declared, null]) {
          try {
            expect(
              argvFor({ name: "c", args: declaration }, input).every((text) => typeof text === "string"),
            ).toBe(true);
          } catch (error) {
            expect(error).toMatchObject({ code: "ARGUMENTS_INVALID" });
          }
        }
      }),
    );
  });

  test.each([
    ["prs view 208", ["prs", "view", "208"]],
    ["-m \"commit msg\" 'it is'", ["-m", "commit msg", "it is"]],
    [String.raw`a\ b "q\"q" ''`, ["a b", 'q"q', ""]],
    ["it's", ["it's"]],
    ["  ", []],
  ])("%j is split into %j", (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  test("that were quoted come back as they were", () => {
    const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(splitWords(words.map(quoted).join(" "))).toEqual(words);
      }),
    );
  });
});

test("any bytes at the beginning of a program are some kind of program", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 128 }), (bytes) => {
      expect(["script", "wasm", "binary", "text"]).toContain(kindOf(Buffer.from(bytes)).kind);
    }),
  );
});
