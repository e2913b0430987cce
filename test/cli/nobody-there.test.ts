import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Dialog } from "../../src/contract/index.ts";
import { AtTerminal } from "../support/at-terminal.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { type Bench, openBench } from "./support.ts";

const bin = resolve("bin/patchbay");
const name = { type: "prompt", message: "Name?", default: "Ada" };
const port = { type: "prompt", message: "Port?", validate: "integer" };
const colour = { type: "select", message: "Colour?", options: ["red", "Dark green"] };

/** Questions of a plugin (`test/fixtures/fledge/probe`) that a command cannot put to anybody. */
describe("where nobody is there", () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await openBench();
    const run = async (...args: string[]) => {
      const { code, stderr } = await bench.patchbay(args);
      if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
    };
    await run("plugin", "install", resolve("test/fixtures/fledge/probe"), "--yes");
    await run("agent", "create", "Asker");
    await run("plugin", "enable", "fledge-probe", "--agent", "asker");
    await run("agent", "update", "asker", "--allow", "*");
  });
  afterAll(() => bench.remove());

  const call = (...questions: object[]) => {
    const input = JSON.stringify({ mode: "send", text: JSON.stringify(questions) });
    return ["tool", "call", "fledge_probe__probe", "--agent", "asker", "--input", input];
  };

  it("questions get their defaults, and the result says so", async () => {
    const questions = [name, { type: "confirm", message: "Sure?" }, { ...colour, default: 1 }];
    const told = await bench.patchbay(call(...questions));
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining('"value": "Dark green"') });
    expect(told.stderr).toContain("asked “Name?”; nobody is here, so it got its default: Ada\n");
    expect((await bench.patchbay([...call(...questions), "--json"])).json()).toMatchObject({
      answeredByDefault: [
        { pluginKey: "fledge-probe", question: "Name?", answer: "Ada" },
        { question: "Sure?", answer: "no" },
        { question: "Colour?", answer: "Dark green" },
      ],
    });
  });

  it.each([
    ["no default", port],
    ["no default that fits", { ...port, default: "many" }],
    ["nothing chosen", colour],
  ])("a question with %s ends the command, which names what helps", async (_what, question) => {
    const ended = await bench.patchbay([...call(question), "--json"]);
    expect(ended.code).toBe(1);
    expect(ended.json()).toMatchObject({
      error: {
        code: "TOOL_FAILED",
        message: expect.stringContaining(`asked “${question.message}”`),
        help: expect.stringContaining(
          "`patchbay plugin config fledge-probe --agent asker --set prompts=defaults`",
        ),
      },
    });
    expect(ended.stdout).not.toContain("Start it again");
  });

  describe("but Patchbay runs", () => {
    let app: RunningApp;
    beforeAll(async () => {
      app = await startApp(bench.home);
    });
    afterAll(() => app.close());
    const waiting = async () => (await app.cli("dialog", "list")) as Dialog[];
    const running = new Set<() => void>();
    afterEach(() => {
      for (const end of running) end();
      running.clear();
    });

    it("questions get their defaults at once there too, and the result says so", async () => {
      const told = await bench.patchbay([...call(name, { ...colour, default: 1 }), "--json"]);
      expect(told.code).toBe(0);
      expect(told.json()).toMatchObject({
        answeredByDefault: [
          { pluginKey: "fledge-probe", question: "Name?", answer: "Ada" },
          { question: "Colour?", answer: "Dark green" },
        ],
      });
      expect(await waiting()).toEqual([]);
    });

    it("a question without a default ends the command at once, and names what helps", async () => {
      const ended = await bench.patchbay([...call(port), "--json"]);
      expect(ended.code).toBe(1);
      const { error } = ended.json<{ error: { message: string; help: string } }>();
      expect(error.message).toContain("asked “Port?”");
      for (const way of ["--set prompts=defaults`", "--wait", "`patchbay dialog answer`"])
        expect(error.help).toContain(way);
      expect(await waiting()).toEqual([]);
    });

    /** Starts a call without a terminal that is to wait, and reads what it says until a question waits. */
    async function callThatWaits(...questions: object[]) {
      const child = spawn(process.execPath, [bin, "--home", bench.home, ...call(...questions), "--wait"], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.add(() => child.kill("SIGKILL"));
      const answer = text(child.stdout);
      const ended = once(child, "exit");
      const said = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
      const note = [(await said.next()).value, (await said.next()).value].join("\n");
      const [, id = ""] = /patchbay dialog answer (\S+)/.exec(note) ?? [];
      return { note, id, ended: async () => [(await ended)[0], await answer] };
    }

    it("what waits is said at once, with where, and answered from another terminal", async () => {
      const { note, id, ended } = await callThatWaits(colour, port);
      expect(note).toContain(`asks “Colour?” and waits for an answer in the running Patchbay (${app.url})`);
      const listed = await bench.patchbay(["dialog", "list"]);
      expect(listed.stdout).toContain(`${id}  one option\n`);
      expect(listed.stdout).toContain("Colour?\n    1  red\n    2  Dark green\n");
      const wrong = await bench.patchbay(["dialog", "answer", id, "purple", "--json"]);
      expect(wrong).toMatchObject({ code: 1 });
      expect(wrong.json()).toMatchObject({
        error: { code: "BAD_INPUT", message: "“purple” is none of the options." },
      });
      expect((await bench.patchbay(["dialog", "answer", id, "dark GREEN"])).stdout).toContain("Dark green");

      const next = await expect
        .poll(waiting)
        .toMatchObject([{ question: { message: "Port?" } }])
        .then(waiting);
      const second = next[0]?.id ?? "";
      const refused = await bench.patchbay(["dialog", "answer", second, "many", "--json"]);
      expect(refused.json()).toMatchObject({ error: { message: "The answer must be a whole number." } });
      expect(await app.cli("dialog", "answer", second, "8080")).toMatchObject({ ok: true, answer: "8080" });
      const [code, answer] = await ended();
      expect(code).toBe(0);
      expect(answer).toContain('"value": "Dark green"');
      expect(answer).toContain('"value": "8080"');
    });

    it("a default is taken, and a question cancelled, from there as well", async () => {
      const first = await callThatWaits(name);
      expect((await bench.patchbay(["dialog", "list"])).stdout).toContain("  default: Ada\n");
      await app.cli("dialog", "answer", first.id, "--default");
      expect(await first.ended()).toEqual([0, expect.stringContaining('"value": "Ada"')]);

      const second = await callThatWaits(name);
      await app.cli("dialog", "answer", second.id, "--cancel");
      expect((await second.ended())[0]).toBe(1);
      const gone = await bench.patchbay(["dialog", "answer", second.id, "Ada", "--json"]);
      expect(gone.json()).toMatchObject({ error: { code: "DIALOG_NOT_FOUND" } });
    });

    describe.skipIf(process.platform === "win32")("and a terminal", () => {
      const sit = (...args: string[]) =>
        new AtTerminal([process.execPath, bin, "--home", bench.home, ...args]);

      it("asks there for the answer to a question that waits elsewhere", async () => {
        const { id, ended } = await callThatWaits(port);
        await using person = sit("dialog", "answer", id);
        await person.sees("Port?");
        person.types("many\r");
        await person.sees("The answer must be a whole number.");
        await person.sees("Port?");
        person.types("22\r");
        expect(await person.ended).toMatchObject({ code: 0 });
        expect(await ended()).toEqual([0, expect.stringContaining('"value": "22"')]);
      });

      it("takes a question back that was answered elsewhere, and goes on with the next", async () => {
        await using person = sit(...call(port, name));
        await person.sees("Port?");
        const [open] = await waiting();
        await app.cli("dialog", "answer", open?.id ?? "", "22");
        await person.sees("That question is no longer open.");
        await person.sees("Name?");
        person.types("Grace\r");
        expect(await person.ended).toMatchObject({ code: 0 });
        expect(person.screen).toContain('"value": "22"');
        expect(person.screen).toContain('"value": "Grace"');
      });

      it.each([
        ["Ctrl+C", "\u0003"],
        ["Ctrl+D", "\u0004"],
      ])("%s ends the command, and the running Patchbay has nothing that waits", async (_key, key) => {
        await using person = sit(...call(port));
        await person.sees("Port?");
        person.types(key);
        expect(await person.ended).toEqual({ code: 130, lines: true, echo: true });
        await expect.poll(waiting).toEqual([]);
      });
    });
  });
});
