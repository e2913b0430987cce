import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AtTerminal } from "../support/at-terminal.ts";
import { type Bench, openBench } from "./support.ts";

const enter = "\r";
const down = "\u001b[B";
const eraseLine = "\u0015";
const stops = [
  ["Ctrl+C", "\u0003"],
  ["Ctrl+D", "\u0004"],
] as const;

/** What the plugin says when it is called without a question to put. */
const ran = '"type": "init"';
const colours = { type: "select", message: "Colour?", options: ["red", "Dark green", "blue"] };

/** Questions to a person at a real terminal. A fledge plugin asks them (`test/fixtures/fledge/probe`). */
describe.skipIf(process.platform === "win32")("at a terminal", () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await openBench();
    const run = async (...args: string[]) => {
      const { code, stderr } = await bench.patchbay(args);
      if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
    };
    await run("plugin", "install", resolve("test/fixtures/fledge/probe"), "--yes");
    for (const name of ["asker", "careful"]) {
      await run("agent", "create", name, "--id", name);
      await run("plugin", "enable", "fledge-probe", "--agent", name);
    }
    await run("agent", "update", "asker", "--allow", "*");
  });
  afterAll(() => bench.remove());

  const sit = (...args: string[]) =>
    new AtTerminal([process.execPath, resolve("bin/patchbay"), "--home", bench.home, ...args]);
  /** Lets the plugin put these questions, one after the other. */
  const asking = (questions: object[], ...more: string[]) => {
    const input = JSON.stringify({ mode: "send", text: JSON.stringify(questions) });
    return sit("tool", "call", "fledge_probe__probe", "--agent", "asker", "--input", input, ...more);
  };
  /** What the plugin was answered. */
  const answersOn = ({ screen }: AtTerminal) =>
    Array.from(
      screen.matchAll(/^\{"type": "response".*\}$/gm),
      ([line]) => JSON.parse(line).value as unknown,
    );

  it.each([
    ["integer", "many", ["✗ The answer must be a whole number.", "What is it?"], "3"],
    ["non_empty", "", ["✗ The answer must not be empty.", "What is it?"], "Ada"],
    // fledge looks for the file, and asks anew with the reason in its question.
    ["path_exists", "nowhere/at/all", ["There is nothing at “nowhere/at/all”."], "."],
  ])(
    "an answer that is refused (%s) is asked for again, with the reason",
    async (validate, wrong, shown, right) => {
      await using person = asking([{ type: "prompt", message: "What is it?", validate }]);
      await person.sees("What is it?");
      person.types(wrong + enter);
      for (const words of shown) await person.sees(words);
      person.types(right + enter);
      expect(await person.ended).toEqual({ code: 0, lines: true, echo: true });
      expect(answersOn(person)).toEqual([right]);
    },
  );

  it("a default is shown, and Enter takes it", async () => {
    await using person = asking([
      { type: "confirm", message: "Sure?", default: true },
      { type: "confirm", message: "Really?" },
      { type: "prompt", message: "Name?", default: "Ada" },
      { ...colours, default: 1 },
      { type: "multi_select", message: "Fruit?", options: ["apple", "pear"], defaults: [1] },
    ]);
    for (const shown of ["Sure? (Y/n)", "Really? (y/N)", "Name? (Ada)", "Dark green (default)", "◉ pear"]) {
      await person.sees(shown);
      person.types(enter);
    }
    expect(await person.ended).toMatchObject({ code: 0 });
    expect(answersOn(person)).toEqual([true, false, "Ada", "Dark green", ["pear"]]);
  });

  it("a select without a default is not answered by Enter", async () => {
    await using person = asking([colours]);
    await person.sees("Colour?");
    person.types(enter);
    await person.sees("there is no default");
    person.types(down + down + enter);
    expect(await person.ended).toMatchObject({ code: 0 });
    expect(answersOn(person)).toEqual(["Dark green"]);
  });

  it.each([
    ["its text, as it was pasted", "dark GREEN\r", "Dark green"],
    ["its number", "3\r", "blue"],
    ["its text, after one that is none of them", `purple\r${eraseLine}red\r`, "red"],
  ])("an option is picked by %s", async (_how, typed, value) => {
    await using person = asking([{ ...colours, default: 1 }]);
    await person.sees("Colour?");
    person.types(typed);
    expect(await person.ended).toMatchObject({ code: 0 });
    expect(answersOn(person)).toEqual([value]);
    expect(person.screen.includes("“purple” is none of the options.")).toBe(typed.includes("purple"));
  });

  it("several options are picked by texts or numbers, or with the space bar", async () => {
    const fruit = { type: "multi_select", message: "Fruit?", options: ["apple", "pear", "plum"] };
    await using person = asking([fruit, { ...fruit, message: "More fruit?" }]);
    await person.sees("Fruit?");
    person.types(`plum, 1${enter}`);
    await person.sees("More fruit?");
    person.types(` ${down} ${enter}`);
    expect(await person.ended).toMatchObject({ code: 0 });
    expect(answersOn(person)).toEqual([
      ["plum", "apple"],
      ["apple", "pear"],
    ]);
  });

  describe.each(stops)("%s", (_name, key) => {
    it.each([
      ["text", { type: "prompt", message: "Now?" }],
      ["confirm", { type: "confirm", message: "Now?" }],
      ["select", { ...colours, message: "Now?" }],
    ])("ends the command at a question (%s), and leaves the terminal as it was", async (_kind, question) => {
      await using person = asking([question]);
      await person.sees("Now?");
      person.types(key);
      expect(await person.ended).toEqual({ code: 130, lines: true, echo: true });
      expect(person.screen).toContain("✗ `patchbay tool call` was stopped on request.");
      expect(person.screen).not.toContain("Start it again");
    });

    it("ends the command at an approval, and the call does not run", async () => {
      await using person = sit("tool", "call", "fledge_probe__free", "--agent", "careful");
      await person.sees("wants to run");
      await person.sees("Allow it?");
      person.types(key);
      expect(await person.ended).toEqual({ code: 130, lines: true, echo: true });
      expect(person.screen).not.toContain(ran);
    });

    it("ends the command where a secret or a yes is asked for", async () => {
      await using secret = sit("secret", "set", "KEY");
      await secret.sees("Value of KEY:");
      secret.types(key);
      expect(await secret.ended).toEqual({ code: 130, lines: true, echo: true });
      await using removal = sit("agent", "remove", "careful");
      await removal.sees("It is kept for 30 days");
      removal.types(key);
      expect(await removal.ended).toEqual({ code: 130, lines: true, echo: true });
      expect((await bench.patchbay(["agent", "show", "careful"])).code).toBe(0);
    });
  });

  it("an approval is given by its letter or its text, and refused by Enter alone", async () => {
    for (const [typed, code] of [
      ["y", 0],
      ["Yes, this time", 0],
      ["", 1],
    ] as const) {
      await using person = sit("tool", "call", "fledge_probe__free", "--agent", "careful");
      await person.sees("No (default)");
      person.types(typed + enter);
      expect(await person.ended).toMatchObject({ code });
      expect(person.screen.includes(ran)).toBe(code === 0);
    }
  });

  it("a secret is not shown while it is typed", async () => {
    await using person = sit("secret", "set", "TOKEN");
    await person.sees("Value of TOKEN:");
    person.types(`s3cret-value${enter}`);
    expect(await person.ended).toMatchObject({ code: 0 });
    expect(person.screen).not.toContain("s3cret");
    expect((await bench.patchbay(["secret", "list", "--json"])).json()).toMatchObject([{ name: "TOKEN" }]);
  });

  describe("several lines that are pasted at once", () => {
    const text = (message: string) => ({ type: "prompt", message });
    const notTaken = (lines: string) => `▲ ${lines} typed or pasted than asked for, and not taken.`;

    it("are one answer each", async () => {
      await using person = asking([text("Name?"), { ...colours, default: 1 }, text("Town?")]);
      await person.sees("Name?");
      person.types("Ada\rblue\nTurin\r");
      expect(await person.ended).toEqual({ code: 0, lines: true, echo: true });
      expect(answersOn(person)).toEqual(["Ada", "blue", "Turin"]);
      expect(person.screen).not.toContain("not taken");
    });

    it("are named when nothing asks for them any more", async () => {
      await using person = asking([text("Name?")]);
      await person.sees("Name?");
      person.types("Ada\rof\rTurin\r");
      expect(await person.ended).toMatchObject({ code: 0 });
      expect(answersOn(person)).toEqual(["Ada"]);
      expect(person.screen).toContain(notTaken("2 more lines were"));
    });

    it("are not taken for the next questions when one is refused", async () => {
      await using person = asking([{ ...text("How many?"), validate: "integer" }, text("Name?")]);
      await person.sees("How many?");
      person.types("many\rAda\r");
      await person.sees("The answer must be a whole number.");
      await person.sees(notTaken("1 more line was"));
      person.types(`3${enter}`);
      await person.sees("Name?");
      person.types(`Grace${enter}`);
      expect(await person.ended).toMatchObject({ code: 0 });
      expect(answersOn(person)).toEqual(["3", "Grace"]);
    });

    it("do not become a word of consent, or show a secret", async () => {
      await using person = sit("secret", "set", "PASTED");
      await person.sees("Value of PASTED:");
      person.types("first-line\rsecond-line\r");
      expect(await person.ended).toMatchObject({ code: 0 });
      expect(person.screen).toContain(notTaken("1 more line was"));
      expect(person.screen).not.toContain("-line\n");
    });
  });

  it("what a plugin asks and offers cannot steer the terminal", async () => {
    const title = "\u001b]0;owned\u0007";
    await using person = asking([
      { type: "prompt", message: `Name?${title}`, default: `Ada${title}` },
      { type: "select", message: "Which?", options: [`one${title}`, "two"], default: 0 },
    ]);
    for (const question of ["Name?", "Which?"]) {
      await person.sees(question);
      person.types(enter);
    }
    expect(await person.ended).toMatchObject({ code: 0 });
    expect(person.raw).not.toContain(title);
    expect(person.raw).toContain("Ada␛]0;owned␇");
  });

  it("with --yes, plugins' questions get their defaults there too", async () => {
    await using person = asking([{ type: "prompt", message: "Name?", default: "Ada" }], "--yes");
    expect(await person.ended).toMatchObject({ code: 0 });
    expect(person.screen).toContain("asked “Name?”; nobody is here, so it got its default: Ada");
    expect(answersOn(person)).toEqual(["Ada"]);
  });
});
