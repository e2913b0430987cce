import { describe, expect, it } from "vitest";
import type { AppEvent, Approval, ApprovalDecision, Dialog, DialogAnswer } from "../contract/index.ts";
import { storeAt } from "../main/store/address.ts";
import { AppEvents } from "../main/views/app-events.ts";
import { attended } from "./attend.ts";
import type { CliContext, Client } from "./context.ts";
import { Output } from "./terminal/output.ts";

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
function openBench(options: { answers?: string[]; alone?: boolean; yes?: boolean } = {}) {
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
  const client = {
    app: { events: async (_since: object, { signal }: { signal: AbortSignal }) => events.follow({}, signal) },
    approvals: {
      decide: async ({ id, answer }: { id: string; answer: ApprovalDecision }) => {
        decided.set(id, answer);
        settled();
      },
    },
    dialogs: {
      answer: async ({ id, answer }: { id: string; answer: DialogAnswer }) => {
        decided.set(id, answer);
        settled();
      },
    },
  } as unknown as Client;
  const notes: string[] = [];
  const { promise: noted, resolve: note } = Promise.withResolvers<void>();
  const nowhere = { write: () => true };
  const stderr = {
    write(text: string | Uint8Array) {
      note();
      return notes.push(String(text)) > 0;
    },
  };
  const context: CliContext = {
    output: new Output({ json: false, env: {}, stdout: nowhere, stderr }),
    terminal: {
      interactive: options.answers !== undefined,
      ask: type,
      confirm: async (text) => /^y/.test(await type(text)),
      secret: type,
      optionalSecret: type,
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
    const request = { agentId: "helper", yes: options.yes ?? false };
    return attended(context, client, connection, request, async () => {
      for (const [index, change] of changes.entries()) events.touch(String(index), () => change);
      await new Promise<void>((done) => {
        settled = () => decided.size >= count && done();
      });
      return "done";
    });
  };
  return { answer, asked, decided, notes, noted };
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

describe("questions while a command runs", () => {
  it("are allowed with --yes, for this agent alone", async () => {
    const bench = openBench({ yes: true });
    expect(await bench.answer([waits("other", "somebody"), waits("mine")], 1)).toBe("done");
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
    const bench = openBench({ answers: ["", "s", "a", "y"] });
    await bench.answer(["none", "once", "always", "yes"].map(reaches), 4);
    expect(Object.fromEntries(bench.decided)).toEqual({
      none: "no",
      once: "once",
      always: "always",
      yes: "no",
    });
    expect(bench.notes.join("")).toContain("Patchbay asks: may the plugin");
    expect(bench.notes.join("")).toContain("reach localhost:8080, which is this computer?");
  });

  it("whether a plugin may reach a host are refused where nobody is there, also with --yes", async () => {
    const bench = openBench({ alone: true, yes: true });
    await bench.answer([reaches("host")], 1);
    expect(bench.decided.get("host")).toBeNull();
  });

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
});
