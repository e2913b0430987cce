import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AtTerminal } from "../support/at-terminal.ts";
import { writeFiles } from "../support/fixture-plugin.ts";
import { type Bench, openBench } from "./support.ts";

/** Asks what it is told to, one after the other, whatever it is answered, and returns the answers. */
const plugin = `let ask;
export default {
  manifestVersion: 1, key: "asks", displayName: "Asks", description: "Asks what it is told to.",
  tools: {
    namespace: "asks",
    start: async (_config, ctx) => {
      ask = ctx.ask;
      return { stop: async () => {}, toolsets: [{ id: "asks", description: "Asks.", tools: [{
        name: "go", description: "Asks.", parameters: { type: "object", properties: { questions: { type: "array" } } },
        execute: async ({ questions }, call) => {
          const answers = [];
          for (const [kind, message, options] of questions) {
            call.onUpdate("about to ask " + message);
            answers.push(await ask[kind](message, options));
          }
          return "answers: " + JSON.stringify(answers);
        },
      }] }] };
    },
  },
};`;

const enter = "\r";
const options = ["red", "green"].map((label) => ({ value: label.toUpperCase(), label }));

/** The questions of a plugin in Patchbay's own system go to the same terminal as those of fledge (`questions.test.ts`). */
describe.skipIf(process.platform === "win32")("a native plugin's questions at a terminal", () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await openBench();
    const dir = join(bench.folder, "asks");
    const packageFile = { name: "asks", version: "1.0.0", type: "module", exports: "./index.js" };
    await writeFiles(dir, { "package.json": JSON.stringify(packageFile), "index.js": plugin });
    for (const args of [
      ["plugin", "install", dir, "--yes"],
      ["agent", "create", "Asker"],
      ["agent", "update", "asker", "--allow", "*"],
      ["plugin", "enable", "asks", "--agent", "asker"],
    ]) {
      const { code, stderr } = await bench.patchbay(args);
      if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
    }
  });
  afterAll(() => bench.remove());

  const asking = (...questions: [kind: string, message: string, options?: object][]) =>
    new AtTerminal([
      ...[process.execPath, resolve("bin/patchbay"), "--home", bench.home],
      ...["tool", "call", "asks__go", "--agent", "asker", "--input", JSON.stringify({ questions })],
    ]);
  const answersOn = ({ screen }: AtTerminal) => JSON.parse(/^answers: (.*)$/m.exec(screen)?.[1] ?? "null");

  it.each([
    ["Ctrl+C", "\u0003"],
    ["Ctrl+D", "\u0004"],
  ])("one %s ends the command, though the plugin would go on to its next question", async (_name, key) => {
    await using person = asking(["confirm", "First?"], ["confirm", "Second?"], ["confirm", "Third?"]);
    await person.sees("▲ asks asks");
    await person.sees("First?");
    person.types(key);
    expect(await person.ended).toEqual({ code: 130, lines: true, echo: true });
    expect(person.screen).not.toContain("Second?");
  });

  it.each<[kind: string, asked: object, answer: unknown]>([
    ["confirm", { default: true }, true],
    ["select", { options, default: "GREEN" }, "GREEN"],
    ["multiSelect", { options, default: ["RED"] }, ["RED"]],
    ["text", { default: "Ada" }, "Ada"],
  ])("Enter takes the default of its question (%s)", async (kind, asked, answer) => {
    await using person = asking([kind, "Well?", asked]);
    await person.sees("▲ asks asks");
    await person.sees("Well?");
    person.types(enter);
    expect(await person.ended).toMatchObject({ code: 0 });
    expect(answersOn(person)).toEqual([answer]);
  });

  it("what it says of its progress is shown before it asks", async () => {
    await using person = asking(["confirm", "Now?", { default: true }]);
    await person.sees("about to ask Now?");
    await person.sees("▲ asks asks");
    await person.sees("Now?");
    person.types(enter);
    expect(await person.ended).toMatchObject({ code: 0 });
    expect(answersOn(person)).toEqual([true]);
  });
});
