import { describe, expect, it } from "vitest";
import {
  type AppEvent,
  type Approval,
  type ApprovalDecision,
  type Dialog,
  type DialogAnswer,
  PatchbayError,
} from "../contract/index.ts";
import { storeAt } from "../main/store/address.ts";
import { AppEvents } from "../main/views/app-events.ts";
import { attended } from "./attend.ts";
import type { CliContext, Client } from "./context.ts";
import { Output } from "./terminal/output.ts";
import { type PickOption, pickOne, pickSome } from "./terminal/picked.ts";

const approval = (id: string, agentId = "helper") =>
  ({
    id,
    agentId,
    status: "waiting",
    tool: "files__write",
    title: "files.write",
    arguments: { path: "a" },
    changedBy: [],
  }) as unknown as Approval;
const question = (id: string, asked: Dialog["question"]) =>
  ({ id, agentId: "helper", pluginKey: "files", context: "files.write", question: asked }) as Dialog;

/** The core's questions and answers, and a terminal at which `answers` are typed. */
function openBench(
  options: {
    answers?: string[];
    alone?: boolean;
    yes?: boolean;
    wait?: boolean;
    refuses?: DialogAnswer[];
    fails?: boolean;
    json?: boolean;
  } = {},
) {
  const events = new AppEvents((error) => {
    throw error;
  });
  const asked: string[] = [];
  const decided = new Map<string, ApprovalDecision | DialogAnswer>();
  let settled = () => {};
  const answers = [...(options.answers ?? [])];
  const type = async (text: string) => {
    asked.push(text);
    return answers.shift() ?? "";
  };
  /** What is typed again until it picks something. */
  const pick = async (
    text: string,
    choices: readonly PickOption[],
    many: boolean,
    taken: readonly string[],
  ) => {
    for (;;) {
      const typed = await type(text);
      if (typed === "" && (many || taken.length > 0)) return [...taken];
      const picked = many ? pickSome(typed, choices) : pickOne(typed, choices);
      if ("values" in picked) return picked.values;
    }
  };
  const client = {
    access: { prepare: async () => {} },
    agentPlugins: { get: async () => ({ plugin: { runtime: "fledge" } }) },
    app: { events: async (_since: object, { signal }: { signal: AbortSignal }) => events.follow({}, signal) },
    approvals: {
      decide: async ({ id, answer }: { id: string; answer: ApprovalDecision }) => {
        decided.set(id, answer);
        settled();
      },
    },
    dialogs: {
      answer: async ({ id, answer }: { id: string; answer: DialogAnswer }) => {
        if (options.refuses?.includes(answer)) throw new PatchbayError("BAD_INPUT", "It does not fit.");
        decided.set(id, answer);
        settled();
      },
    },
  } as unknown as Client;
  const notes: string[] = [];
  const { promise: noted, resolve: note } = Promise.withResolvers<void>();
  const printed: string[] = [];
  const stdout = { write: (text: string | Uint8Array) => printed.push(String(text)) > 0 };
  const stderr = {
    write(text: string | Uint8Array) {
      note();
      return notes.push(String(text)) > 0;
    },
  };
  const context: CliContext = {
    output: new Output({ json: options.json ?? false, env: {}, stdout, stderr }),
    terminal: {
      interactive: options.answers !== undefined,
      ask: async (text, _signal, how) => (await type(text)) || (how?.default ?? ""),
      confirm: async (text, _signal, how) => /^y/.test((await type(text)) || (how?.default ? "y" : "n")),
      choose: async (text, choices, _signal, how) =>
        (await pick(text, choices, false, how?.default === undefined ? [] : [how.default]))[0] as string,
      chooseSome: (text, choices, _signal, how) => pick(text, choices, true, how?.default ?? []),
      secret: type,
      optionalSecret: type,
      close: () => {},
    },
    store: storeAt("/home"),
    cwd: "/",
    env: {},
    signal: new AbortController().signal,
    connect: () => Promise.reject(new Error("not used")),
  };
  /** Announces questions while some work runs, and resolves when `count` of them were answered. */
  const answer = (changes: Extract<AppEvent, { type: "changes" }>["changes"], count: number) => {
    const connection = { client, alone: options.alone ?? true, close: async () => {} };
    const request = { agentId: "helper", yes: options.yes ?? false, wait: options.wait ?? false };
    return attended(context, client, connection, request, async () => {
      for (const [index, change] of changes.entries()) events.touch(String(index), () => change);
      await new Promise<void>((done) => {
        settled = () => decided.size >= count && done();
      });
      if (options.fails) throw new PatchbayError("ABORTED", "Its question was not answered.");
      return { text: "done" };
    });
  };
  return { answer, asked, decided, notes, noted, printed, output: context.output };
}

const waits = (id: string, agentId?: string) =>
  ({ type: "put", collection: "approvals", item: approval(id, agentId) }) as const;
const asks = (id: string, asked: Dialog["question"]) =>
  ({ type: "put", collection: "dialogs", item: question(id, asked) }) as const;

const reaches = (id: string) =>
  ({
    type: "put",
    collection: "dialogs",
    item: {
      ...question(id, { kind: "select", message: "Reach it?", options: hostAnswers }),
      about: { kind: "host", host: "localhost:8080", place: "this computer" },
    },
  }) as const;
const hostAnswers = ["once", "always", "no"].map((value) => ({ value, label: value }));

const wantsModel = (id: string, sent: string) => {
  const options = ["once", "session", "no"].map((value) => ({ value, label: value }));
  const about: Dialog["about"] = {
    kind: "model",
    model: "big-one",
    system: "You are a poet.",
    messages: [{ role: "user", text: sent, pictures: 2 }],
    mostTokens: 400,
  };
  const item = { ...question(id, { kind: "select", message: "Ask it?", options }), about };
  return { type: "put", collection: "dialogs", item } as const;
};

describe("questions while a command runs", () => {
  it("are allowed with --yes, for this agent alone", async () => {
    const bench = openBench({ yes: true });
    expect(await bench.answer([waits("other", "somebody"), waits("mine")], 1)).toEqual({ text: "done" });
    expect([...bench.decided]).toEqual([["mine", { decision: "allow", scope: "once" }]]);
  });

  it("are refused at once where nobody can be asked and nobody else is there", async () => {
    const bench = openBench({ alone: true });
    await bench.answer([waits("a"), asks("b", { kind: "confirm", message: "Sure?" })], 2);
    expect(bench.decided.get("a")).toMatchObject({
      decision: "deny",
      reason: expect.stringContaining("--yes"),
    });
    expect(bench.decided.get("b")).toBeNull();
  });

  it.each([
    ["y", { decision: "allow", scope: "once" }],
    ["session", { decision: "allow", scope: "session" }],
    ["A", { decision: "allow", scope: "always" }],
    ["n", { decision: "deny" }],
    ["", { decision: "deny" }],
  ])("are put to the person at a terminal: %j", async (typed, decision) => {
    const bench = openBench({ answers: [typed] });
    await bench.answer([waits("a")], 1);
    expect(bench.decided.get("a")).toEqual(decision);
    expect(bench.notes.join("")).toContain("files.write wants to run");
  });

  it("come one after the other, each with the answer that fits it", async () => {
    const options = [
      { value: "one", label: "One" },
      { value: "two", label: "Two" },
    ];
    const bench = openBench({ answers: ["y", "2", "1, 2", "", "hidden"] });
    await bench.answer(
      [
        asks("confirm", { kind: "confirm", message: "Sure?" }),
        asks("select", { kind: "select", message: "Which?", options }),
        asks("several", { kind: "multi_select", message: "Which ones?", options }),
        asks("text", { kind: "text", message: "Name?", default: "Ada" }),
        asks("secret", { kind: "text", message: "Password?", secret: true }),
      ],
      5,
    );
    expect(Object.fromEntries(bench.decided)).toEqual({
      confirm: true,
      select: "two",
      several: ["one", "two"],
      text: "Ada",
      secret: "hidden",
    });
  });

  it("whether a plugin may reach a host are Patchbay's own: an empty answer is no", async () => {
    const bench = openBench({ answers: ["", "s", "a", "y", ""] });
    await bench.answer(["none", "once", "always", "yes"].map(reaches), 4);
    expect(Object.fromEntries(bench.decided)).toEqual({
      none: "no",
      once: "once",
      always: "always",
      yes: "no",
    });
    // "y" is none of its answers: it was asked again.
    expect(bench.asked).toHaveLength(5);
    expect(bench.notes.join("")).toContain("Patchbay asks: may the plugin");
    expect(bench.notes.join("")).toContain("reach localhost:8080, which is this computer?");
  });

  it("whether a plugin may reach a host are refused where nobody is there, also with --yes", async () => {
    const bench = openBench({ alone: true, yes: true });
    await bench.answer([reaches("host")], 1);
    expect(bench.decided.get("host")).toBeNull();
  });

  it.each([
    ["o", "once"],
    ["s", "session"],
    ["", "no"],
  ])(
    "whether a plugin may ask the model show what is sent; “%s” is %s, also with --yes",
    async (typed, answer) => {
      const bench = openBench({ answers: [typed], yes: true });
      await bench.answer([wantsModel("model", "A poem, please.")], 1);
      expect(bench.decided.get("model")).toBe(answer);
      const shown = bench.notes.join("");
      expect(shown).toContain("ask the model big-one this?");
      for (const part of ["at most 400 tokens", "You are a poet.", "A poem, please. [2 pictures]"])
        expect(shown).toContain(part);
    },
  );

  it("show what hides in the arguments of a call", async () => {
    const bench = openBench({ answers: [""] });
    const shown = { ...approval("a"), arguments: { command: "rm \u202etxt.oidua" } };
    await bench.answer([{ type: "put", collection: "approvals", item: shown }], 1);
    expect(bench.notes.join("")).toContain("rm \\u202etxt.oidua");
    expect(bench.notes.join("")).not.toContain("\u202e");
  });

  it("of plugins are left to the screens of a running app, with a note", async () => {
    const bench = openBench({ alone: false });
    await Promise.race([bench.answer([reaches("host")], 1), bench.noted]);
    expect(bench.decided.size).toBe(0);
    expect(bench.notes.join("")).toContain("waits for an answer in the running Patchbay");
  });

  it("are left to the screens of a running app, with a note", async () => {
    const bench = openBench({ alone: false, yes: false });
    await Promise.race([bench.answer([waits("a")], 1), bench.noted]);
    expect(bench.decided.size).toBe(0);
    expect(bench.notes.join("")).toContain("waits for an answer in the running Patchbay");
  });

  it("are asked again, with the core's own sentence, while an answer is refused", async () => {
    const bench = openBench({ answers: ["many", "3"], refuses: ["many"] });
    await bench.answer([asks("count", { kind: "text", message: "How many?", validate: "integer" })], 1);
    expect(bench.decided.get("count")).toBe("3");
    expect(bench.notes.join("")).toContain("✗ It does not fit.\n");
  });

  it.each([
    { yes: true, answers: ["never read"] },
    { alone: true },
    { alone: false },
    { yes: true, alone: false },
  ])("of plugins get their defaults where nobody is asked, and the result says so: %j", async (where) => {
    const bench = openBench({ ...where, json: true });
    const options = ["red", "green"].map((label, at) => ({ value: String(at), label }));
    await bench.answer(
      [
        asks("sure", { kind: "confirm", message: "Sure?", default: true }),
        asks("name", { kind: "text", message: "Name?", default: "Ada" }),
        asks("colour", { kind: "select", message: "Colour?", options, default: "1" }),
        asks("some", { kind: "multi_select", message: "Some?", options, default: [] }),
      ],
      4,
    );
    expect(Object.fromEntries(bench.decided)).toEqual({ sure: true, name: "Ada", colour: "1", some: [] });
    bench.output.result({}, () => "");
    expect(JSON.parse(bench.printed.join("")).answeredByDefault).toEqual([
      { pluginKey: "files", question: "Sure?", answer: "yes" },
      { pluginKey: "files", question: "Name?", answer: "Ada" },
      { pluginKey: "files", question: "Colour?", answer: "green" },
      { pluginKey: "files", question: "Some?", answer: "none of them" },
    ]);
    expect(bench.notes.join("")).toContain("asked “Name?”; nobody is here, so it got its default: Ada");
  });

  it("that have no default, or one that is refused, go unanswered, and the failure says what to do", async () => {
    for (const [asked, alone] of [
      [undefined, true],
      [undefined, false],
      ["no number", true],
    ] as const) {
      const bench = openBench({ alone, refuses: ["no number"], fails: true });
      const question = {
        kind: "text",
        message: "Port?",
        ...(asked !== undefined && { default: asked }),
      } as const;
      await expect(bench.answer([asks("port", question)], 1)).rejects.toMatchObject({
        code: "TOOL_FAILED",
        message: expect.stringContaining("asked “Port?”"),
        help: expect.stringContaining("--agent helper --set prompts=defaults"),
      });
      expect(bench.decided.get("port")).toBeNull();
    }
  });

  it("leave the terminal when they are answered elsewhere", async () => {
    const bench = openBench({ answers: ["y"], alone: false });
    const gone = { type: "drop", collection: "dialogs", id: "gone" } as const;
    await bench.answer([asks("gone", { kind: "confirm", message: "Sure?" }), gone, waits("next")], 1);
    expect(bench.decided.get("next")).toEqual({ decision: "allow", scope: "once" });
  });
});
