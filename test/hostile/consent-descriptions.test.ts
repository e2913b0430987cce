import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Job } from "../../src/contract/index.ts";
import { jobWith } from "../catalog/support.ts";
import { type ConsentWorld, describeIn, description, openConsentWorld } from "./consent-world.ts";

let world: ConsentWorld;
beforeEach(async () => {
  world = await openConsentWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

/** The job of an installation that everything was agreed to in advance, when it asks nevertheless or has ended. */
async function begun(spec: string, more: object = {}): Promise<Job> {
  const { jobs } = world.bench;
  const { id } = await jobs.install({ spec, yes: true, ...more });
  return jobWith(jobs, id, (job) => job.question !== null || job.endedAt !== null);
}

describe("a description that lies", () => {
  const lies: [what: string, shown: object, code: object, sentence: string][] = [
    [
      "says that it needs no network, while its code wants all of it",
      { permissions: { network: [], files: "none", subprocess: false } },
      { permissions: { network: true, files: "none", subprocess: false } },
      "It now wants to reach any address on the network.",
    ],
    [
      "says that it starts no programs, while its code does",
      { permissions: { network: [], files: "none", subprocess: false } },
      { permissions: { network: [], files: "all", subprocess: true } },
      "It now wants to start other programs.",
    ],
    [
      "keeps a secret to itself that its code names",
      {},
      { secretKeys: [{ key: "BANK_TOKEN", label: "Nothing" }] },
      "It now wants the secret BANK_TOKEN.",
    ],
    [
      "hides a command",
      { commands: undefined },
      { commands: [{ name: "help", description: "Helps." }] },
      "It now adds the command help.",
    ],
  ];

  test.each(lies)(
    "%s: that is asked, even where everything was agreed to",
    async (_what, shown, code, sentence) => {
      const { bench } = world;
      const { commands, ...manifest } = code as { commands?: object[] };
      const dir = await world.write("liar", {
        manifest,
        ...(commands && {
          // Functions cannot be written in the fixture's JSON; the command is added to the module.
          files: { "index.js": moduleWith(commands) },
        }),
      });
      await describeIn(dir, description("liar", { ...shown }));
      const waiting = await begun(dir);
      expect(waiting).toMatchObject({ status: "waiting", question: "more" });
      expect(waiting.consent?.changes).toContain(sentence);
      expect(waiting.consent?.readFrom).toBe("code");
      expect(bench.registry.list()).toEqual([]);
      expect(bench.audited).toContainEqual(
        expect.objectContaining({
          kind: "consent.exceeded",
          pluginKey: "liar",
          changes: waiting.consent?.changes,
        }),
      );
      bench.jobs.consent(waiting.id, { accept: false, question: "more" });
      expect(await bench.jobs.ended(waiting.id)).toMatchObject({ problem: { code: "CONSENT_REFUSED" } });
      expect(await bench.placed()).toEqual([]);
    },
  );

  test("says that it has no tools: they are asked about, and installed only with that yes", async () => {
    const { bench } = world;
    const dir = await world.write("tool-smith");
    const commands = [{ name: "hello", description: "Greets.", run: () => {} }];
    await describeIn(dir, description("tool-smith", { tools: undefined, commands }));
    const waiting = await begun(dir);
    expect(waiting).toMatchObject({ question: "more", consent: { changes: ["It now offers tools."] } });
    bench.jobs.consent(waiting.id, { accept: true, question: "more" });
    expect((await bench.jobs.ended(waiting.id)).problem).toBeNull();
    expect(bench.registry.get("tool-smith")?.capabilities.tools).toEqual({ namespace: "tool_smith" });
  });

  test("names tools in a namespace that is not its code's", async () => {
    const dir = await world.write("changer", { namespace: "shell" });
    await describeIn(dir, description("changer"));
    expect(await begun(dir)).toMatchObject({
      question: "more",
      consent: { changes: ["Its tools now have other names: shell__…, before changer__…."] },
    });
  });

  test("calls itself another plugin than its code does", async () => {
    const dir = await world.write("wolf", { namespace: "sheep" });
    await describeIn(dir, description("sheep"));
    const ended = await begun(dir);
    expect(ended.problem).toMatchObject({
      code: "MANIFEST_CHANGED",
      message: expect.stringContaining("“wolf”"),
    });
    expect(world.bench.registry.list()).toEqual([]);
  });

  test("promises more than its code keeps: that is fine, and what was shown is what it may do", async () => {
    const dir = await world.write("modest", { manifest: { permissions: { network: [] } } });
    await describeIn(dir, description("modest", { permissions: { network: ["a.example"] } }));
    expect((await begun(dir)).problem).toBeNull();
    expect(world.bench.registry.get("modest")?.consent.hosts).toEqual(["a.example"]);
  });
});

describe("a description that cannot be used", () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  test.each<[what: string, text: string, message: string]>([
    ["is huge", description("odd", { description: "x".repeat(300_000) }), "larger than 256 KiB"],
    [
      "is nested a hundred times",
      `{"patchbay":1,"manifest":{"defaultConfig":${nested(100)}}}`,
      "nested too deeply",
    ],
    [
      "is nested so deep that reading it could end the app",
      `{"patchbay":1,"manifest":${nested(40_000)}}`,
      "nested too deeply",
    ],
    ["is no JSON", "{", "not valid JSON"],
    ["is a list", "[]", "does not hold an object"],
    ["is of another version", '{"patchbay":2,"manifest":{}}', "is not 1"],
    ["has no manifest", '{"patchbay":1}', "no object `manifest`"],
    ["moves the terminal's cursor", description("odd", { displayName: "Ada\u001b[2K" }), "not shown"],
    ["turns its text around", description("odd", { description: "safe \u202elave" }), "not shown"],
    ["hides a character in a key", `{"patchbay":1,"manifest":{"k\\u0007ey":"odd"}}`, "not shown"],
  ])("%s: nothing runs and the reason is said", async (_what, text, message) => {
    const dir = await world.write("odd", { prelude: world.leaveMark });
    await describeIn(dir, text);
    const ended = await begun(dir);
    expect(ended.problem).toMatchObject({
      code: "MANIFEST_INVALID",
      message: expect.stringContaining(message),
    });
    expect(await world.marked()).toBe(false);
    expect(await world.bench.placed()).toEqual([]);
  });

  test("is a pipe that never ends: the folder is refused, and nobody waits for it", async () => {
    const dir = await world.write("piped", { prelude: world.leaveMark });
    execFileSync("mkfifo", [join(dir, "patchbay.json")]);
    const ended = await begun(dir, { link: true });
    expect(ended.problem).toMatchObject({
      code: "MANIFEST_INVALID",
      message: expect.stringContaining("not a file"),
    });
    expect(await world.marked()).toBe(false);
  });

  test("is a package.json of ten megabytes: it is not read", async () => {
    const dir = await world.write("heavy", { packageFile: { readme: "x".repeat(10_000_000) } });
    expect((await begun(dir, { link: true })).problem).toMatchObject({
      code: "NOT_A_PLUGIN",
      message: "The package.json is larger than 1024 KiB.",
    });
  });
});

function moduleWith(commands: object[]): string {
  return `export default {
    manifestVersion: 1, key: "liar", displayName: "Echo", description: "Says what it is told.",
    tools: { namespace: "liar", start: async () => ({ toolsets: [], stop: async () => {} }) },
    commands: ${JSON.stringify(commands)}.map((command) => ({ ...command, run: () => "" })),
  };\n`;
}
