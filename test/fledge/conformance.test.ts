import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Plugin } from "../../src/contract/index.ts";
import { dirOf } from "../support/dir-of.ts";
import { processesWith } from "./processes.ts";
import { FledgeWorld, type Started, type StartOptions } from "./world.ts";

let world: FledgeWorld;
let probe: Started;
const plugins = new Map<string, Promise<Plugin>>();

beforeAll(async () => {
  world = await FledgeWorld.open();
  probe = await start("probe");
});

afterAll(() => world.close());

async function start(fixture: string, options?: StartOptions): Promise<Started> {
  let plugin = plugins.get(fixture);
  if (!plugin) {
    plugin = world.install(fixture, true);
    plugins.set(fixture, plugin);
  }
  return world.start(await plugin, options);
}

/** The replies that the probe gets to these messages, sent one after the other. */
async function replies(messages: object[], started = probe): Promise<unknown[]> {
  const text = await started.text("probe", { mode: "send", text: JSON.stringify(messages) });
  return text.split("\n").map((line) => JSON.parse(line));
}

async function replyTo(message: object, started = probe): Promise<unknown> {
  const [reply] = (await replies([message], started)) as { value: unknown }[];
  return reply?.value;
}

describe("init", () => {
  test("carries the command, keys in fledge's order and no white space", async () => {
    const text = await probe.text("probe", { mode: "init" });
    const init = JSON.parse(text);
    expect(Object.keys(init)).toEqual([
      "type",
      "protocol",
      "command",
      "args",
      "project",
      "plugin",
      "fledge",
      "capabilities",
    ]);
    expect(init).toMatchObject({
      type: "init",
      protocol: "fledge-v1",
      command: "probe",
      args: ["init"],
      project: { root: world.workspace, language: "generic", git: null },
      plugin: { name: "probe", version: "1.0.0" },
      fledge: { version: "9.9.9" },
      capabilities: { exec: true, store: true, metadata: true },
    });
  });

  test("describes a git repository without credentials of its remote", async () => {
    const own = await FledgeWorld.open();
    try {
      const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: own.workspace });
      git("init", "-q", "-b", "trunk");
      await writeFile(join(own.workspace, "Cargo.toml"), "");
      git("add", ".");
      git("commit", "-qm", "first");
      git("remote", "add", "up", "https://me:secret@example.test/x.git");
      await writeFile(join(own.workspace, "new"), "");
      const started = await own.start(await own.install("probe"));
      const init = JSON.parse(await started.text("probe", { mode: "init" }));
      expect(init.project).toMatchObject({
        language: "rust",
        git: { branch: "trunk", dirty: true, remote: "up", remote_url: "https://example.test/x.git" },
      });
    } finally {
      await own.close();
    }
  });

  test("gives protocol programs no arguments of their own and a link with the command's name", async () => {
    expect(JSON.parse(await probe.text("free", { args: "argv 'two words' \"\"" }))).toEqual([
      "fledge-free",
      [],
      ["argv", "two words", ""],
    ]);
  });
});

describe("languages and how programs tell their command", () => {
  test("bash, with a substring parser and the same id for each request", async () => {
    const hello = await start("hello");
    const name = world.workspace.split("/").at(-1);
    expect(await hello.text("hello", { name: "Ada" })).toBe(`Hello Ada in ${name}, greeting 1\n`);
    expect(await hello.text("hello", { name: "Bob", times: 3 })).toBe(`Hello Bob,3 in ${name}, greeting 2\n`);
  });

  test("a compiled program that decides by argv[0] and ends without a line end", async () => {
    const many = await start("many");
    expect(await many.text("http-get", { url: 'http://x/?a="b"', headers: { a: [1] } })).toBe(
      String.raw`http-get 1 ["http://x/?a=\"b\"","{\"a\":[1]}"]`,
    );
    expect(await many.text("http-post", {})).toBe("http-post 1 []");
  });

  test("a script that decides by $0 and finds its sibling through the link", async () => {
    const twins = await start("twins");
    expect(await twins.text("left")).toBe("left with a sibling");
    expect(await twins.text("right")).toBe("right");
  });

  test("Node, with characters cut apart and carriage returns", async () => {
    const node = await start("node-tool");
    expect(await node.text("chunks")).toBe(
      'grüße 🎉 \u2028 end\n{"type":"response","id":"request-1","value":null}',
    );
  });
});

describe("questions", () => {
  test("of each kind are asked and answered in order", async () => {
    const answers = ["Ada", true, "2", ["1", "0"]];
    const asked = await start("hello", { answer: () => answers.shift() ?? null });
    expect(await asked.text("ask")).toBe("prompt Ada\nconfirm true\nselect red\nmulti [pear,apple]\n");
    expect(asked.questions).toEqual([
      { kind: "text", message: "Your name?", default: "nobody", validate: "non_empty" },
      { kind: "confirm", message: "Sure?", default: false },
      {
        kind: "select",
        message: "Colour?",
        default: "1",
        options: [
          { value: "0", label: "red" },
          { value: "1", label: "green" },
          { value: "2", label: "red" },
        ],
      },
      {
        kind: "multi_select",
        message: "Fruit?",
        default: ["0", "2"],
        options: [
          { value: "0", label: "apple" },
          { value: "1", label: "pear" },
          { value: "2", label: "plum" },
        ],
      },
    ]);
  });

  test("get their defaults when they are set so, and when a channel user calls", async () => {
    const text = "prompt nobody\nconfirm false\nselect green\nmulti [apple,plum]\n";
    const set = await start("hello", { config: { prompts: "defaults" } });
    expect(await set.text("ask")).toBe(text);
    const asked = await start("hello");
    const caller = { kind: "channel", channel: "telegram", userId: "7" } as const;
    expect(await asked.text("ask", {}, { caller })).toBe(text);
    expect(await asked.text("reset", {}, { caller })).toBe("Cancelled\n");
    expect(asked.questions).toEqual([]);
  });

  test("without an answer end the run, whatever its exit code says", async () => {
    await expect(replyTo({ type: "confirm", message: "Now?" })).rejects.toMatchObject({
      code: "ABORTED",
      message: expect.stringContaining("“Now?” was not answered"),
    });
  });

  test.each([
    [{ type: "prompt", message: "Name?" }, "no default"],
    [{ type: "select", message: "Which?", options: ["a"], default: 4 }, "none of the options"],
    [{ type: "select", message: "Which?", options: [] }, "nothing to choose from"],
  ])("%j cannot be answered when nobody is there", async (message, reason) => {
    const started = await start("probe", { config: { prompts: "defaults" } });
    await expect(replyTo(message, started)).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: expect.stringContaining(reason),
    });
  });

  test("fail at once when questions are switched off", async () => {
    const started = await start("probe", { config: { prompts: "fail" } });
    await expect(replyTo({ type: "confirm", message: "?", default: true }, started)).rejects.toThrow(
      "switched off",
    );
  });

  test("that ask for a path are asked again until it exists", async () => {
    const answers = ["nothing-here", "."];
    const started = await start("probe", { answer: () => answers.shift() ?? null });
    expect(await replyTo({ type: "prompt", message: "Where?", validate: "path_exists" }, started)).toBe(".");
    expect(started.questions.map(({ message }) => message)).toEqual([
      "Where?",
      "Where?\nThere is nothing at “nothing-here”.",
    ]);
  });

  test("with an unknown rule or a default out of range are asked as if they had none", async () => {
    const started = await start("probe", { answer: (question) => (question.kind === "text" ? "x" : "0") });
    expect(await replyTo({ type: "prompt", message: "?", validate: "palindrome" }, started)).toBe("x");
    expect(await replyTo({ type: "select", message: "?", options: ["a"], default: 9 }, started)).toBe("a");
    expect(started.questions).toEqual([
      { kind: "text", message: "?" },
      { kind: "select", message: "?", options: [{ value: "0", label: "a" }] },
    ]);
  });
});

describe("store and load", () => {
  test("are done in the order of arrival", async () => {
    const text = await probe.text("probe", {
      mode: "send",
      text: JSON.stringify([{ type: "load", key: "later" }]),
    });
    expect(JSON.parse(text)).toEqual({ type: "response", id: "1", value: null });
    await probe.text("probe", {
      mode: "tell",
      text: JSON.stringify([
        { type: "store", key: "later", value: "1" },
        { type: "store", key: "later", value: "2" },
      ]),
    });
    expect(await replyTo({ type: "load", key: "later" })).toBe("2");
    expect(JSON.parse(await readFile(statePath("ada"), "utf8"))).toMatchObject({ later: "2" });
  });

  test.each([
    ["an empty key", { key: "", value: "x" }],
    ["a key of 257 bytes", { key: "k".repeat(257), value: "x" }],
    ["a key with a control character", { key: "a\u0007", value: "x" }],
    ["a value above 64 KiB", { key: "big", value: "x".repeat(65_537) }],
  ])("%s is not kept, and the plugin goes on", async (_what, pair) => {
    const started = await start("probe");
    const text = await started.text("probe", {
      mode: "tell",
      text: JSON.stringify([{ type: "store", ...pair }]),
    });
    expect(text).toBe("told");
    expect(started.logs.filter(({ level }) => level === "warn")).toHaveLength(1);
    expect(await replyTo({ type: "load", key: pair.key })).toBeNull();
  });

  test("are on disk before anything after them is answered, so that a program that dies loses none", async () => {
    const state = statePath("dies");
    const onDisk: string[] = [];
    const started = await start("probe", {
      agentId: "dies",
      answer: () => {
        onDisk.push(readFileSync(state, "utf8"));
        return true;
      },
    });
    await replies(
      [
        { type: "store", key: "kept", value: "1" },
        { type: "confirm", message: "Is it there?" },
      ],
      started,
    );
    expect(onDisk).toEqual(['{\n  "kept": "1"\n}\n']);
    await expect(
      started.call("probe", {
        mode: "tell-and-die",
        text: JSON.stringify([{ type: "store", key: "last", value: "words" }]),
      }),
    ).rejects.toThrow("SIGKILL");
    expect(JSON.parse(await readFile(state, "utf8"))).toEqual({ kept: "1", last: "words" });
  });

  test("keep at most 256 keys", async () => {
    const started = await start("probe", { agentId: "full" });
    const pairs = Array.from({ length: 257 }, (_, at) => ({ type: "store", key: `k${at}`, value: "v" }));
    await started.text("probe", { mode: "tell", text: JSON.stringify(pairs) });
    expect(Object.keys(JSON.parse(await readFile(statePath("full"), "utf8")))).toHaveLength(256);
  });

  test("are apart for two agents, and damaged ones read as empty", async () => {
    const [one, two] = await Promise.all([
      start("hello", { agentId: "one" }),
      start("hello", { agentId: "two" }),
    ]);
    expect(await one.text("hello", { name: "x" })).toContain("greeting 1");
    expect(await one.text("hello", { name: "x" })).toContain("greeting 2");
    expect(await two.text("hello", { name: "x" })).toContain("greeting 1");
  });

  test("outlive the runtime, and read as empty when they are damaged", async () => {
    const path = statePath("kept");
    const started = await start("hello", { agentId: "kept" });
    expect(await started.text("hello", { name: "x" })).toContain("greeting 1");
    const plugin = await (plugins.get("hello") as Promise<Plugin>);
    const again = (home: FledgeWorld) => home.start(plugin, { agentId: "kept" });
    await using second = world.again();
    expect(await (await again(second)).text("hello", { name: "x" })).toContain("greeting 2");
    await writeFile(path, "{half");
    await using third = world.again();
    expect(await (await again(third)).text("hello", { name: "x" })).toContain("greeting 1");
  });

  test("capabilities that were not granted are answered as fledge does", async () => {
    await using other = await FledgeWorld.open();
    const started = await other.start(await other.installUngranted("probe"));
    expect(
      await replies(
        [
          { type: "load", key: "x" },
          { type: "exec", command: "echo ran" },
          { type: "metadata", keys: ["env"] },
          { type: "store", key: "a", value: "b" },
        ],
        started,
      ),
    ).toMatchObject([
      { value: null },
      { value: { code: 126, stdout: "", stderr: "exec capability not granted" } },
      { value: { env: null } },
      { value: null },
    ]);
  });

  function statePath(agent: string): string {
    const key = agent === "kept" ? "fledge-hello" : "fledge-probe";
    return join(world.home, "agents", agent, "storage", key, "state.json");
  }
});

describe("exec", () => {
  test("answers code, stdout and stderr under `value`, in the project", async () => {
    expect(await replyTo({ type: "exec", command: "pwd; echo bad >&2; exit 3" })).toEqual({
      code: 3,
      stdout: `${world.workspace}\n`,
      stderr: "bad\n",
    });
  });

  test("takes more than a pipe holds", async () => {
    const both = "head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2";
    expect(await probe.text("probe", { mode: "exec-size", text: both })).toBe("0 3000000 3000000");
    const tooMuch = "head -c 12000000 /dev/zero";
    expect(await probe.text("probe", { mode: "exec-size", text: tooMuch })).toBe("0 10485760 0");
  });

  test.each(["..", "/", "/etc", "missing"])("refuses the folder %s", async (cwd) => {
    const reply = await replyTo({ type: "exec", command: "echo ran", cwd });
    expect(reply).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/escapes|does not exist/),
    });
  });

  test("may run in the plugin's own folder", async () => {
    const dir = dirOf(await plugins.get("probe"));
    expect(await replyTo({ type: "exec", command: "ls", cwd: dir })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("probe.py"),
    });
  });

  test("ends what takes too long, with everything it started", async () => {
    const reply = await replyTo({
      type: "exec",
      command: "sleep 600.0815 & sleep 600.0815; wait",
      timeout: 1,
    });
    expect(reply).toEqual({ code: 124, stdout: "", stderr: "command timed out after 1s" });
    await expect.poll(() => processesWith("600.0815")).toEqual([]);
  });

  test("reports a death by signal as 1", async () => {
    expect(await replyTo({ type: "exec", command: "kill -9 $$" })).toMatchObject({ code: 1 });
  });
});

describe("metadata", () => {
  test("has one entry a key, null for an unknown one", async () => {
    const value = (await replyTo({
      type: "metadata",
      keys: ["fledge_config", "git_tags", "env", "moon"],
    })) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["fledge_config", "git_tags", "env", "moon"]);
    expect(value).toMatchObject({ fledge_config: null, git_tags: [], moon: null });
  });

  test("keeps private parts of the environment back", async () => {
    const env = { SHOWN: "yes", MY_TOKEN: "t", DATABASE_URL: "db", ADDRESS: "me@host:1", KEYBOARD: "us" };
    const started = await start("probe", { config: { env } });
    const { env: shared } = (await replyTo({ type: "metadata", keys: ["env"] }, started)) as {
      env: Record<string, string>;
    };
    expect(shared).toMatchObject({ SHOWN: "yes" });
    for (const name of ["MY_TOKEN", "DATABASE_URL", "ADDRESS", "KEYBOARD"])
      expect(shared).not.toHaveProperty(name);
  });
});

describe("what is only said", () => {
  test("progress is passed on as it changes", async () => {
    const updates: string[] = [];
    expect(await probe.text("probe", { mode: "progress" }, { onUpdate: (text) => updates.push(text) })).toBe(
      "copied",
    );
    expect(updates).toEqual(["Working", "Copying (1/3)", "Copying (2/3)"]);
  });

  test("logs have their level, and do not reach the agent of a run that went well", async () => {
    const started = await start("probe");
    expect(await started.text("probe", { mode: "logs" })).toBe("logged");
    expect(started.logs.filter(({ origin }) => origin === "plugin")).toEqual([
      { level: "debug", text: "a debug line", origin: "plugin" },
      { level: "info", text: "a info line", origin: "plugin" },
      { level: "warn", text: "a warn line", origin: "plugin" },
      { level: "error", text: "a error line", origin: "plugin" },
      { level: "info", text: "odd: a odd line", origin: "plugin" },
    ]);
  });

  test("unknown and misshapen messages are skipped with a warning; who gave an id is answered", async () => {
    const started = await start("probe");
    expect(
      await replies(
        [{ type: "dance" }, { type: "prompt" }, { type: "output", text: "" }, { type: "load", key: 5 }],
        started,
      ),
    ).toEqual(Array.from({ length: 4 }, () => ({ type: "response", id: "1", value: null })));
    expect(started.logs.filter(({ level }) => level === "warn").map(({ text }) => text)).toEqual([
      'A message was skipped: the message type "dance" is unknown.',
      "A message was skipped: the field “message” of a prompt message is missing or of the wrong type.",
      "A message was skipped: the field “key” of a load message is missing or of the wrong type.",
    ]);
  });

  test("lines that are no messages are shown, named as such, when there is nothing else", async () => {
    expect(await probe.text("probe", { mode: "raw", text: "plain text\\n[1]\\n" })).toBe(
      "[raw output]\nplain text\n[1]",
    );
  });

  test("bytes that are not UTF-8 end nothing", async () => {
    expect(await probe.text("probe", { mode: "raw", text: "\\xff\\xfe\\n" })).toBe(
      "[raw output]\n\ufffd\ufffd",
    );
  });

  test("a last line without its end counts", async () => {
    expect(await probe.text("probe", { mode: "raw", text: '{"type":"output","text":"end"}' })).toBe("end");
  });

  test("outputs run together only where they have line ends of their own", async () => {
    const two = [
      { type: "output", text: "a" },
      { type: "output", text: "b\n" },
      { type: "output", text: "c" },
    ];
    expect(await probe.text("probe", { mode: "tell", text: JSON.stringify(two) })).toBe("a\nb\nc\ntold");
  });
});
