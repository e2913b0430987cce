import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { asksOf, type Effect, type Plugin } from "../../../contract/index.ts";
import { hostEnvironment } from "../../platform/host-environment.ts";
import { type LineLimits, lineProcess } from "../../platform/lines/line-process.ts";
import type { HostProcess } from "../../platform/platform.ts";
import { spawnNodeHost } from "../../platform/spawned-host.ts";
import { type PluginCall, scopeOutsideTurns } from "../plugin-call.ts";
import type { HostServices, InstanceContributions, SetupRequest, StartRequest } from "../runtime.ts";
import { HostedInstance, type HostedKind } from "./hosted-instance.ts";
import { HostedSetup } from "./hosted-setup.ts";
import { inspectInHost } from "./inspect-in-host.ts";

/**
 * The code of a complete host in plain JavaScript, without help of the kit, as a host in any other language would be.
 */
const host = `
  const wire = new (require("node:net").Socket)({ fd: Number(process.env.PATCHBAY_WIRE_FD) });
  const say = (message) => wire.write(JSON.stringify(message) + "\\n");
  const offer = (...names) => names.map((name) => ({ name, description: name, parameters: { type: "object" }, readOnly: true }));
  const none = { namespace: null, tools: [], toolsets: [], hooks: [], commands: [], skills: [], channel: null };
  const waiting = new Map();
  const tools = {
    echo: (id, input) => say({ t: "result", id, value: { content: [{ type: "text", text: input.text }] } }),
    printing: (id) => { console.log("just printing"); tools.echo(id, { text: "printed" }); },
    steps: (id) => { say({ t: "progress", id, text: "half" }); tools.echo(id, { text: "whole" }); },
    stored: (id) => {
      say({ t: "request", id: 1, during: id, request: { kind: "storage.get", key: "k" } });
      waiting.set(1, (value) => tools.echo(id, { text: String(value) }));
    },
    grow: (id) => {
      say({ t: "contributions", changed: { tools: offer("echo", "a__b__c") } });
      tools.echo(id, { text: "grown" });
    },
    shrink: (id) => { say({ t: "contributions", changed: { tools: "none" } }); tools.echo(id, { text: "no" }); },
    asks: (id, input) => say({ t: "result", id, value: { content: [] }, effects: input.effects }),
    asksAndFails: (id, input) =>
      say({ t: "error", id, problem: { code: "TOOL_FAILED", message: "No." }, effects: input.effects }),
    crash: () => process.exit(9),
    hang: () => {},
    block: () => { for (;;); },
    late: (id) => waiting.set("abort " + id, () => tools.echo(id, { text: "too late" })),
    garbage: (id) => { wire.write("oops\\n{\\"t\\":\\n\\n[]\\n"); tools.echo(id, { text: "after" }); },
    flood: () => { for (let i = 0; i < 100; i += 1) wire.write("no message\\n"); },
    giant: (id, input) => say({ t: "result", id, value: { content: [{ type: "text", text: "x".repeat(input.size) }] } }),
    halved: (id) => wire.write('{"t":"result","id":' + id + ',"value":{\\n'),
    wrong: (id) => say({ t: "result", id, value: { content: "text" } }),
    refuse: (id) => say({ t: "error", id, problem: { code: "TOOL_FAILED", message: "I do not want to." } }),
  };
  const heard = {
    inspect: ({ inspect }) => inspect.odd ? say({ t: "inspected", facts: 5 }) : say({ t: "inspected", facts: { name: inspect.of } }),
    start: ({ start }) => start.fails
      ? say({ t: "failed", problem: { code: "START_FAILED", message: "Not today." } })
      : start.dies ? process.exit(4) : start.silent || say({ t: "started", contributions: { ...none, tools: offer(...Object.keys(tools)) } }),
    setup: () => say({ t: "setupReady", submits: true }),
    call: ({ id, call }) => {
      if (call.kind === "tool") return tools[call.tool](id, call.input);
      if (call.kind === "prompt")
        return say({ t: "result", id, value: { messages: [{ role: "user", content: [{ type: "text", text: call.args.who }] }] } });
      if (call.kind === "setup.begin") return say({ t: "result", id, value: { sessionId: "s", state: { kind: "error", message: "first" } } });
      if (call.kind === "setup.check") return say({ t: "result", id });
      if (call.kind === "setup.poll") return say({ t: "result", id, value: { kind: "done", config: { a: 1 } } });
      if (call.kind === "setup.submit") process.exit(3);
    },
    abort: ({ id }) => waiting.get("abort " + id)?.(),
    answer: ({ id, value }) => waiting.get(id)(value),
    ping: ({ id }) => say({ t: "pong", id, memoryBytes: 1 }),
    stop: () => say({ t: "stopped" }),
  };
  let rest = "";
  wire.on("data", (chunk) => {
    const lines = (rest + chunk).split("\\n");
    rest = lines.pop();
    for (const line of lines) { const message = JSON.parse(line); heard[message.t]?.(message); }
  });
  wire.on("end", () => process.exit(0));
`;

const kind: HostedKind = {
  calls: new Set(["tool", "prompt"]),
  join: (host) => ({
    ...host,
    tools: host.tools.map((tool) => ({ ...tool, title: tool.name, owner: "kit", name: `kit__${tool.name}` })),
    commands: [],
    prompts: host.prompts ?? [],
    channel: null,
  }),
  tool: (name) => ({ name: name.slice("kit__".length), title: name }),
};

const plugin = { manifestKey: "kit", displayName: "Kit", capabilities: {}, consent: asksOf(null) } as Plugin;
const running: HostProcess[] = [];

afterEach(() => {
  for (const process of running.splice(0)) process.kill();
});

function open(limits?: Partial<LineLimits>): HostProcess {
  const spawned = spawnNodeHost({
    file: process.execPath,
    args: ["-e", host],
    cwd: tmpdir(),
    env: hostEnvironment(),
    wire: "private",
  });
  const opened = lineProcess(spawned, limits);
  running.push(opened);
  return opened;
}

function desk() {
  const logs: string[] = [];
  const offered: InstanceContributions[] = [];
  const services = {
    log: (level, text, origin) => void logs.push(`${origin} ${level}: ${text}`),
    contributionsChanged: (all) => void offered.push(all),
    storage: { get: async (key: string) => `value of ${key}`, set: async () => {}, delete: async () => {} },
  } as Partial<HostServices> as HostServices;
  return { logs, offered, services };
}

async function start(options: { limits?: Partial<LineLimits>; start?: object; process?: HostProcess } = {}) {
  const { logs, offered, services } = desk();
  const request = { plugin, services, limits: { stopMs: 300 } } as StartRequest;
  const instance = new HostedInstance(options.process ?? open(options.limits), request, kind);
  await instance.start(options.start ?? {}, AbortSignal.timeout(10_000));
  const call = (
    name: string,
    input: Record<string, unknown> = {},
    signal = AbortSignal.timeout(10_000),
    onUpdate: (text: string) => void = () => {},
  ) => {
    const tool: PluginCall & { kind: "tool" } = {
      kind: "tool",
      name: `kit__${name}`,
      input,
      toolCallId: "1",
      onUpdate,
    };
    return instance
      .call(tool, scopeOutsideTurns(signal, Number.POSITIVE_INFINITY))
      .then(({ content: [part] }) => (part?.type === "text" ? part.text : undefined));
  };
  /** What a call asks for beside its answer, and reaches its scope. */
  const asked = async (name: string, effects: unknown) => {
    const got: Effect[] = [];
    const scope = {
      ...scopeOutsideTurns(AbortSignal.timeout(10_000), Number.POSITIVE_INFINITY),
      effects: (list: readonly Effect[]) => void got.push(...list),
    };
    const input = { effects };
    await instance
      .call({ kind: "tool", name: `kit__${name}`, input, toolCallId: "1", onUpdate: () => {} }, scope)
      .catch(() => {});
    return got;
  };
  return { instance, call, asked, logs, offered };
}

describe("a host over lines", () => {
  test("runs tools; what it prints is log, and what it tells on the way is passed on", async () => {
    const { call, logs } = await start();
    const updates: string[] = [];
    expect(await call("echo", { text: "ä\n😀\u2028" })).toBe("ä\n😀\u2028");
    expect(await call("steps", {}, undefined, (text) => updates.push(text))).toBe("whole");
    expect(updates).toEqual(["half"]);
    expect(await call("printing")).toBe("printed");
    await expect.poll(() => logs).toEqual(["stdout info: just printing"]);
  });

  test("is asked, asks and is answered, many at once", async () => {
    const { call, instance } = await start();
    const texts = Array.from({ length: 50 }, (_, at) => `${at}`);
    expect(await Promise.all(texts.map((text) => call("echo", { text })))).toEqual(texts);
    expect(await call("stored")).toBe("value of k");
    const prompt = { kind: "prompt", name: "greet", args: { who: "Ada" } } as const;
    expect(await instance.call(prompt, scopeOutsideTurns(AbortSignal.timeout(5_000), 5_000))).toEqual({
      messages: [{ role: "user", content: [{ type: "text", text: "Ada" }] }],
    });
    expect(await instance.ping(AbortSignal.timeout(5_000))).toEqual({ memoryBytes: 1 });
  });

  test("is not asked for what its kind does not know", async () => {
    const { instance } = await start();
    const call = instance.call(
      { kind: "resource", uri: "a:b" },
      scopeOutsideTurns(AbortSignal.timeout(5_000), 1),
    );
    await expect(call).rejects.toMatchObject({ code: "CALL_UNSUPPORTED" });
  });

  test("may offer other tools while it runs; what is no list of tools changes nothing", async () => {
    const { call, instance, offered } = await start();
    expect(await call("grow")).toBe("grown");
    const names = ["kit__echo", "kit__a__b__c"];
    expect(instance.contributions.tools.map(({ name }) => name)).toEqual(names);
    expect(offered).toEqual([instance.contributions]);
    expect(await call("shrink")).toBe("no");
    expect(instance.contributions.tools.map(({ name }) => name)).toEqual(names);
  });

  test("stops when it is asked to, and by force when it does not", async () => {
    const calm = await start();
    await calm.instance.stop("disabled");
    expect(calm.logs).toEqual([]);
    const busy = await start();
    const blocked = busy.call("block");
    blocked.catch(() => {});
    await busy.instance.stop("disabled");
    await expect(blocked).rejects.toMatchObject({ code: "HOST_CRASHED" });
    expect(busy.logs).toEqual(["patchbay warn: The plugin did not stop within 300 ms and was ended."]);
  });
});

describe("what a host asks for beside an answer", () => {
  const notify = { kind: "notify", text: "done", level: "info" };

  test("reaches the scope of the call, also with a failure", async () => {
    const { asked, logs } = await start();
    const steer = { kind: "steer", text: "look again" };
    expect(await asked("asks", [notify, steer])).toEqual([notify, steer]);
    expect(await asked("asksAndFails", [notify])).toEqual([notify]);
    expect(logs).toEqual([]);
  });

  test("is dropped where it is not understood, with a line that names the plugin", async () => {
    const { asked, logs } = await start();
    expect(
      await asked("asks", [{ kind: "explode" }, notify, { kind: "thinkingLevel", level: "none" }]),
    ).toEqual([notify]);
    expect(await asked("asks", "much")).toEqual([]);
    expect(logs).toEqual([
      "patchbay warn: Kit asked for something beside its answer: Patchbay does not know `explode`; it was left out.",
      expect.stringContaining("`thinkingLevel` was left out, because a part of it must be"),
      "patchbay warn: Kit asked for something beside its answer: it is no list, and was left out.",
    ]);
  });

  test("is lost in a call that allows nothing of the kind, and the log says so", async () => {
    const { call, logs } = await start();
    await call("asks", { effects: [notify] });
    expect(logs).toEqual([expect.stringContaining("in a call that allows nothing of the kind")]);
  });
});

describe("a host that fails", () => {
  test("by crashing rejects everything that is under way and whatever comes later", async () => {
    const { call, instance } = await start();
    const waiting = [call("hang"), call("hang"), call("crash")];
    for (const each of waiting)
      await expect(each).rejects.toMatchObject({ code: "HOST_CRASHED", details: { exitCode: 9 } });
    expect(await instance.exited).toEqual({ code: 9, signal: null });
    await expect(call("echo")).rejects.toMatchObject({ code: "HOST_CRASHED" });
  });

  test("by hanging is left when the call is aborted, and its late answer reaches nobody", async () => {
    const { call, logs } = await start();
    const controller = new AbortController();
    const late = call("late", {}, controller.signal);
    controller.abort();
    await expect(late).rejects.toMatchObject({ code: "ABORTED" });
    expect(await call("echo", { text: "next" })).toBe("next");
    expect(logs).toEqual([]);
  });

  test("by talking garbage is heard all the same; it is counted and said once", async () => {
    const { call, instance, logs } = await start();
    expect(await call("garbage")).toBe("after");
    await instance.stop("disabled");
    expect(logs).toEqual([
      "patchbay warn: The plugin's process sent a message that Patchbay does not know; it is ignored.",
      "patchbay warn: 3 messages of the plugin's process were refused.",
    ]);
  });

  test("by talking nothing but garbage is ended, and the crash says why", async () => {
    const { call } = await start({ limits: { refused: 20 } });
    await expect(call("flood")).rejects.toMatchObject({
      code: "HOST_CRASHED",
      message: expect.stringContaining("it sent 20 lines that are no messages"),
    });
  });

  test("by a giant line loses that answer alone", async () => {
    const { call } = await start({ limits: { lineBytes: 100_000 } });
    await expect(call("giant", { size: 3_000_000 })).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: expect.stringContaining("thrown away"),
    });
    expect((await call("giant", { size: 90_000 }))?.length).toBe(90_000);
  });

  test("by half an answer, an answer of another shape or a refusal fails that call alone", async () => {
    const { call } = await start();
    await expect(call("halved")).rejects.toMatchObject({ code: "BAD_INPUT" });
    await expect(call("wrong")).rejects.toMatchObject({ code: "TOOL_FAILED" });
    await expect(call("refuse")).rejects.toMatchObject({ message: "I do not want to." });
    expect(await call("echo", { text: "on" })).toBe("on");
  });

  test("by not reading is ended before what waits for it fills the memory", async () => {
    const { call } = await start({ limits: { unsentBytes: 1_000_000 } });
    const blocked = call("block");
    blocked.catch(() => {});
    const fed = Array.from({ length: 40 }, () => call("echo", { text: "x".repeat(100_000) }));
    for (const each of [blocked, ...fed])
      await expect(each).rejects.toMatchObject({
        message: expect.stringContaining("it does not read what it is sent"),
      });
  });

  test.each([
    ["says no", { fails: true }, { code: "START_FAILED", message: "Not today." }],
    ["dies", { dies: true }, { code: "HOST_CRASHED", message: expect.stringContaining("exit code 4") }],
  ])("to start because it %s is gone when that is known", async (_why, how, error) => {
    const process = open();
    await expect(start({ process, start: how })).rejects.toMatchObject(error);
    await expect(new Promise((resolve) => process.onExit(resolve))).resolves.toBeDefined();
  });

  test("to start in time is given up, and gone", async () => {
    const process = open();
    const request = { plugin, services: desk().services, limits: { stopMs: 300 } } as StartRequest;
    const controller = new AbortController();
    const starting = new HostedInstance(process, request, kind).start({ silent: true }, controller.signal);
    controller.abort(new Error("too slow"));
    await expect(starting).rejects.toThrow("too slow");
    await expect(new Promise((resolve) => process.onExit(resolve))).resolves.toMatchObject({
      signal: "SIGKILL",
    });
  });
});

describe("a setup over lines", () => {
  const openSetup = async () => {
    const request = { plugin, services: desk().services } as unknown as SetupRequest;
    const setup = new HostedSetup(open(), request, { setup: {}, shape: (config) => config });
    await setup.open(AbortSignal.timeout(10_000));
    return setup;
  };
  const { signal } = new AbortController();

  test("begins, is polled and checks settings", async () => {
    const setup = await openSetup();
    expect(await setup.begin({}, signal)).toEqual({
      sessionId: "s",
      state: { kind: "error", message: "first" },
    });
    expect(await setup.poll("s", signal)).toEqual({ kind: "done", config: { a: 1 } });
    await setup.check({ a: 1 }, signal);
    await setup.close();
    expect(await setup.exited).toMatchObject({ signal: "SIGKILL" });
  });

  test("fails when its process does", async () => {
    const setup = await openSetup();
    await expect(setup.submit("s", {}, signal)).rejects.toMatchObject({
      code: "HOST_CRASHED",
      details: { exitCode: 3 },
    });
  });
});

describe("an inspection over lines", () => {
  const look = (inspect: unknown) =>
    inspectInHost(
      open(),
      {
        inspect,
        parse: (facts) => (typeof facts === "object" ? facts : null),
        limitMs: 10_000,
      },
      new AbortController().signal,
    );

  test("gives what the host says of a plugin, if it can be read", async () => {
    expect(await look({ of: "weather" })).toEqual({ name: "weather" });
    await expect(look({ odd: true })).rejects.toMatchObject({ code: "BAD_INPUT" });
  });
});

test.runIf(spawnSync("python3", ["--version"]).status === 0)(
  "a host in Python is run by the same client, print and all",
  async () => {
    const code = `
import json, os
wire = os.fdopen(int(os.environ["PATCHBAY_WIRE_FD"]), "r+b", buffering=0)
say = lambda message: wire.write(json.dumps(message).encode() + b"\\n")
tool = {"name": "echo", "description": "Says it.", "parameters": {"type": "object"}, "readOnly": True}
print("plugins print at import", flush=True)
for line in wire:
    message = json.loads(line)
    if message["t"] == "start":
        say({"t": "started", "contributions": {"namespace": None, "tools": [tool], "toolsets": [], "hooks": [], "commands": [], "skills": [], "channel": None}})
    elif message["t"] == "call":
        say({"t": "result", "id": message["id"], "value": {"content": [{"type": "text", "text": message["call"]["input"]["text"]}]}})
    elif message["t"] == "stop":
        say({"t": "stopped"})
`;
    const python = { file: "python3", args: ["-c", code], cwd: tmpdir(), env: hostEnvironment() };
    const spawned = lineProcess(spawnNodeHost({ ...python, wire: "private" }));
    running.push(spawned);
    const { call, instance, logs } = await start({ process: spawned });
    expect(await call("echo", { text: "grüße 😀" })).toBe("grüße 😀");
    await instance.stop("disabled");
    expect(logs).toEqual(["stdout info: plugins print at import"]);
  },
);
