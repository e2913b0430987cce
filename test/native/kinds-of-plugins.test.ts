import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostBundle } from "../support/host-bundle.ts";
import { callScope, PoolWorld, reference, textOf } from "../support/pool-world.ts";

let world: PoolWorld;

beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  await world.agent("ada");
  await world.pool.boot();
});
afterEach(async () => {
  await world.close();
  expect(world.alive()).toEqual([]);
});

const webhook = (key: string, body = "") => {
  const request = { headers: {}, rawBody: Buffer.from(body) };
  return world.pool.call("ada", key, { kind: "webhook", request }, callScope());
};

describe("an older channel package", () => {
  beforeEach(async () => {
    await world.install("legacy-channel");
    await world.vault.set("BOT", null, "123:abcdef");
  });

  test("gets what it was written for: flat settings, two-argument logger, token under its key, credentials", async () => {
    const view = await world.enable("ada", "legacy-chat", {
      channel: { bot_token: reference("BOT"), room: "tea" },
    });
    expect(view).toMatchObject({ state: "running", contributions: { channel: { name: "legacy tea" } } });
    expect(world.logTexts("ada", "legacy-chat")).toEqual(
      expect.arrayContaining(["joined tea", "legacy-chat.poll: polling"]),
    );
    const answer = await webhook("legacy-chat");
    expect(JSON.parse(answer.body ?? "")).toEqual({
      tokens: { "legacy-chat": "token-ada-legacy-chat" },
      base: "http://127.0.0.1:1/ada",
      public: "https://example.test/ada",
      token: "123:abcdef",
      stored: { session: "abc" },
    });
  });

  test("reports a failure to send as its last error and takes it back", async () => {
    await world.enable("ada", "legacy-chat", { channel: { bot_token: reference("BOT"), room: "tea" } });
    const send = (text: string) => {
      const message = { sessionId: "s", to: "x", text };
      return world.pool.call("ada", "legacy-chat", { kind: "send", message }, callScope());
    };
    expect(await send("bad")).toEqual({ success: false, error: "the room is gone" });
    await world.until(() => world.pool.view("ada", "legacy-chat").state === "degraded");
    expect(await send("good")).toEqual({ success: true });
    await world.until(() => world.pool.view("ada", "legacy-chat").state === "running");
  });

  test("whose parseConfig refuses is failed; one that starts with nothing needs setup", async () => {
    const config = (room: string) => ({ channel: { bot_token: reference("BOT"), room } });
    expect(await world.enable("ada", "legacy-chat", config("forbidden"))).toMatchObject({
      state: "failed",
      reason: { code: "CONFIG_REFUSED", message: "The plugin refused its settings: that room is closed" },
    });
    expect(await world.enable("ada", "legacy-chat", config("unpaired"))).toMatchObject({
      state: "needs_setup",
      reason: { code: "NEEDS_SETUP" },
    });
  });
});

test("tools written for pi are adapted, with call id, signal and progress", async () => {
  await world.install("pi-tools");
  await world.enable("ada", "pi-tools");
  const updates: string[] = [];
  const output = await world.call(
    "ada",
    "pi__full",
    { word: "word" },
    { toolCallId: "call-7", onUpdate: (text) => updates.push(text) },
  );
  expect(textOf(output)).toBe("call-7 word false");
  expect(updates).toEqual(["half"]);
  expect(textOf(await world.call("ada", "pi__short", { word: "again" }))).toBe("again");
  expect(world.pool.live("ada").toolsets).toEqual([{ owner: "pi-tools", id: "pi", description: "From pi." }]);
});

describe("a zod schema", () => {
  test("parses flat settings and describes tool parameters", async () => {
    await world.install("zod-config");
    await world.enable("ada", "zod-config", { tools: { city: "Ulm" } });
    expect(JSON.parse(textOf(await world.call("ada", "zodc__show")))).toEqual({ city: "Ulm", days: 3 });
    expect(world.pool.live("ada").tools[0]?.parameters).toMatchObject({
      type: "object",
      properties: { a: { type: "string" } },
    });
  });

  test("refuses with the field named", async () => {
    await world.install("zod-config");
    const view = await world.enable("ada", "zod-config", { tools: { city: "" } });
    expect(view.reason).toMatchObject({ code: "CONFIG_REFUSED" });
    expect(view.reason?.message).toMatch(/^The plugin refused its settings: City: /);
    expect(view.reason?.details?.fields).toMatchObject([{ path: "tools.city" }]);
  });
});

describe("hooks", () => {
  beforeEach(async () => {
    await world.install("listener");
  });
  const dispatch = (event: string, payload: unknown, timeoutMs = 30_000, hookId?: string) => {
    const hook = world.pool.live("ada").hooks.find((candidate) => candidate.event === event);
    return world.pool.call(
      "ada",
      "listener",
      { kind: "hook", hookId: hookId ?? hook?.id ?? "", event, payload },
      callScope({ timeoutMs }),
    );
  };

  test("are registered by `ctx.on` and by `handlers`, with their options", async () => {
    await world.enable("ada", "listener");
    const hooks = world.pool.live("ada").hooks.map(({ id: _, ...hook }) => hook);
    expect(hooks).toEqual([
      { event: "message.final@v1", priority: 5, timeoutMs: 700, failureMode: "fail", owner: "listener" },
      { event: "turn.end@v1", priority: 100, timeoutMs: 2_000, failureMode: "skip", owner: "listener" },
      { event: "tool.before@v1", priority: 100, timeoutMs: 2_000, failureMode: "fail", owner: "listener" },
    ]);
    expect(await dispatch("message.final@v1", { text: "hi" })).toEqual({ text: "HI" });
  });

  test("that unsubscribe are gone at once, also for who still has their id", async () => {
    await world.enable("ada", "listener");
    const id = world.pool.live("ada").hooks[0]?.id;
    const changed = new Promise((resolve) => world.pool.changes.once("contributions", resolve));
    expect(await dispatch("turn.end@v1", {})).toBeUndefined();
    await changed;
    expect(world.pool.live("ada").hooks.map(({ event }) => event)).toEqual(["turn.end@v1", "tool.before@v1"]);
    await expect(dispatch("", {}, 1_000, id)).rejects.toMatchObject({ code: "EVENT_UNKNOWN" });
  });

  test("come and go while the plugin runs, each subscription under a name of its own", async () => {
    await world.install("toggles");
    await world.enable("ada", "toggles");
    const listen = async (args: string) => {
      const changed = new Promise((resolve) => world.pool.changes.once("contributions", resolve));
      await world.pool.call("ada", "toggles", { kind: "command", name: "listen", args }, callScope());
      await changed;
      return world.pool.live("ada").hooks.map(({ id }) => id);
    };
    const say = (hookId = "") => {
      const call = { kind: "hook", hookId, event: "message.final@v1", payload: { text: "hi" } } as const;
      return world.pool.call("ada", "toggles", call, callScope());
    };
    expect(world.pool.live("ada").hooks).toEqual([]);
    const [first] = await listen("on");
    expect(await say(first)).toEqual({ text: "hi!" });
    expect(await listen("off")).toEqual([]);
    await expect(say(first)).rejects.toMatchObject({ code: "EVENT_UNKNOWN" });
    const [second] = await listen("on");
    expect(second).not.toBe(first);
    expect(await say(second)).toEqual({ text: "hi!" });
  });

  test("that hang are stopped at their limit and told so", async () => {
    await world.enable("ada", "listener");
    await expect(dispatch("tool.before@v1", {}, 50)).rejects.toMatchObject({ code: "HOOK_TIMEOUT" });
    await world.until(() => world.logTexts("ada", "listener").includes("hook aborted"));
  });

  test("of an event that is not declared keep the plugin from starting", async () => {
    expect(await world.enable("ada", "listener", { hooks: { undeclared: true } })).toMatchObject({
      state: "failed",
      reason: {
        code: "EVENT_UNKNOWN",
        message: "The plugin subscribes to `model.before@v1` but does not declare it in `hooks.events`.",
      },
    });
  });

  test("that are required are missed while their plugin is on but does not run", async () => {
    expect(world.pool.required("ada")).toEqual([]);
    await world.enable("ada", "listener", { hooks: { undeclared: true } });
    expect(world.pool.required("ada")).toEqual([
      { owner: "listener", events: ["tool.before@v1", "turn.end@v1", "message.final@v1"] },
    ]);
    await world.enable("ada", "listener", {});
    expect(world.pool.required("ada")).toEqual([]);
  });

  test("of a run that ended are not mixed up with those of the next one", async () => {
    await world.enable("ada", "listener");
    const old = world.pool.live("ada").hooks[0]?.id;
    await world.pool.restart("ada", "listener");
    await expect(dispatch("", { text: "x" }, 1_000, old)).rejects.toMatchObject({
      code: "PLUGIN_NOT_RUNNING",
    });
  });
});

test("calls that no native plugin knows are refused, whatever the plugin", async () => {
  await world.install("listener");
  await world.enable("ada", "listener");
  const prompt = world.pool.call("ada", "listener", { kind: "prompt", name: "x", args: {} }, callScope());
  await expect(prompt).rejects.toMatchObject({
    code: "CALL_UNSUPPORTED",
    message: "Listener has no prompts.",
  });
  const resource = world.pool.call("ada", "listener", { kind: "resource", uri: "x://y" }, callScope());
  await expect(resource).rejects.toMatchObject({ code: "CALL_UNSUPPORTED" });
});

describe("commands", () => {
  test("run with their text and answer with text or nothing", async () => {
    await world.install("listener");
    await world.enable("ada", "listener");
    const run = (name: string, args: string) =>
      world.pool.call("ada", "listener", { kind: "command", name, args }, callScope({ timeoutMs: 5_000 }));
    expect(await run("greet", "you")).toBe("hello you from ada");
    expect(await run("quiet", "")).toBe("");
    await expect(run("nope", "")).rejects.toMatchObject({ code: "COMMAND_NOT_FOUND" });
  });

  test("of the same name stay with the earlier plugin key, and the other plugin says so", async () => {
    await world.install("rival");
    await world.install("listener");
    await world.enable("ada", "rival", { tools: { word: "hey" } });
    expect(world.pool.view("ada", "rival").state).toBe("running");
    const greet = { kind: "command", name: "greet", args: "you" } as const;
    expect(await world.pool.call("ada", "rival", greet, callScope())).toBe("hey you ada");
    await world.enable("ada", "listener");
    expect(world.pool.live("ada").commands.map(({ name, owner }) => `${owner} ${name}`)).toEqual([
      "listener greet",
      "listener quiet",
    ]);
    expect(world.pool.view("ada", "rival")).toMatchObject({
      state: "degraded",
      reason: {
        code: "NAME_CLASH",
        message: "The command /greet of rival is already offered by listener.",
      },
    });
    await world.disable("ada", "listener");
    expect(world.pool.view("ada", "rival").state).toBe("running");
  });
});

describe("tools that cannot be taken", () => {
  beforeEach(async () => {
    await world.install("rival");
  });
  const reason = async (config: Record<string, unknown>) => {
    const view = await world.enable("ada", "rival", { tools: config });
    expect(view.state).toBe("failed");
    return { code: view.reason?.code, message: view.reason?.message };
  };

  test("more than 64", async () => {
    expect(await reason({ count: 65 })).toEqual({
      code: "TOO_MANY_TOOLS",
      message: "The plugin offers 65 tools; at most 64 are allowed.",
    });
    expect((await world.enable("ada", "rival", { tools: { count: 64 } })).contributions?.tools).toHaveLength(
      64,
    );
  });

  test("a joined name above 64 characters", async () => {
    const name = "n".repeat(58);
    expect(await reason({ name })).toMatchObject({ code: "MANIFEST_INVALID" });
    expect((await world.enable("ada", "rival", { tools: { name: "n".repeat(57) } })).state).toBe("running");
  });

  test("a name with a dot", async () => {
    expect((await reason({ name: "a.b" })).message).toBe(
      "A tool is named `a.b`; a name holds letters, digits, `_` and `-` only.",
    );
  });

  test("the same name twice", async () => {
    expect(await reason({ name: "same", count: 2 })).toEqual({
      code: "NAME_CLASH",
      message: "The plugin offers the tool `same` twice.",
    });
  });

  test("parameters that do not describe an object", async () => {
    expect((await reason({ parameters: { type: "string" } })).message).toBe(
      'The `parameters` of the tool `tool_0` describe "string"; they must describe an object.',
    );
  });

  test("a name that another running plugin offers", async () => {
    const rival = world.registry.get("rival");
    if (!rival) throw new Error("rival is installed");
    await world.registry.put({ ...rival, manifestKey: "usurper", displayName: "Usurper" });
    await world.enable("ada", "rival");
    expect(await world.enable("ada", "usurper")).toMatchObject({
      state: "failed",
      reason: {
        code: "NAME_CLASH",
        message: "The tool rival.tool_0 of usurper is already offered by rival.",
        details: { owners: ["rival", "usurper"] },
      },
    });
    expect(world.alive()).toHaveLength(1);
  });
});

test("when one capability does not start, those that did are stopped, and a failing stop stops nobody else", async () => {
  await world.install("half");
  expect(await world.enable("ada", "half")).toMatchObject({
    state: "failed",
    reason: { code: "START_FAILED", message: "no room" },
  });
  const logs = world.pool.logs("ada", "half").map(({ level, text }) => `${level} ${text}`);
  expect(logs).toEqual([
    "debug signal aborted",
    "error hooks stop",
    "warn Stopping the hooks failed: and fail at it",
    "warn tools stopped",
    expect.stringMatching(/^error The start failed: Error: no room\n {4}at .*half\/index\.js:\d+:\d+\)$/),
    "error no room",
  ]);
  expect(world.pool.view("ada", "half").contributions).toBeNull();
  expect((await world.enable("ada", "half", { channel: { room: "tea" } })).state).toBe("running");
});

test("types of an early zod, which cannot convert themselves, are converted by the plugin's own zod", async () => {
  const plugin = await world.install("early-zod");
  expect(plugin.declaration.configSchema).toMatchObject({
    properties: { tools: { properties: { city: { type: "string" } } } },
  });
  await world.enable("ada", "early-zod");
  expect(world.pool.live("ada").tools[0]?.parameters).toMatchObject({
    type: "object",
    properties: { a: { type: "number" } },
  });
});

test("a channel runs turns and hears the answer while it is made", async () => {
  await world.install("prompter");
  await world.enable("ada", "prompter");
  expect(await webhook("prompter", "what time is it?")).toEqual({
    status: 200,
    body: "half | answer to what time is it?",
  });
  expect(world.prompts[0]).toMatchObject({ conversation: "room", userId: "eve", text: "what time is it?" });
});

test("a manifest that speaks of another namespace than at its inspection is refused", async () => {
  const plugin = await world.install("echo");
  await world.registry.put({ ...plugin, capabilities: { tools: { namespace: "other" } } });
  expect(await world.enable("ada", "echo")).toMatchObject({
    state: "failed",
    reason: { code: "MANIFEST_CHANGED" },
  });
});
