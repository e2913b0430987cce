import { expect, test } from "vitest";
import { failedRows } from "../../src/contract/index.ts";
import { readTestFile } from "../../src/main/agents/replay/kept/test-file.ts";
import { judgeRecorded } from "../../src/main/agents/replay/replays.ts";
import { recordedTurns } from "../../src/main/agents/traces/traces.ts";
import { busy, type Scene, scenes } from "./replay-scenes.ts";
import { Workbench } from "./workbench.ts";

const never = new AbortController().signal;
/** Nothing of the agent is left out or another. */
const asItIs = { without: [], versions: {}, model: "recorded" };

/** Each recorded turn as the text of a file. */
async function filesOf(bench: Workbench): Promise<string[]> {
  const files: string[] = [];
  for (const { id: sessionId } of await bench.agents.sessions.list("a")) {
    const session = await bench.agents.sessions.open("a", sessionId);
    for (const { turnId } of await recordedTurns(session))
      files.push((await bench.replays.keep({ agentId: "a", sessionId, turnId })).text);
  }
  return files;
}

test.each(scenes.map((scene): [string, Scene] => [scene.name, scene]))(
  "%s: kept as a file, the turn runs with nothing but the file, and is the same",
  async (_name, scene) => {
    const files = await (async () => {
      await using bench = await Workbench.open(scene.agent);
      await scene.play(bench);
      return await filesOf(bench);
    })();
    // The agent and its home are gone by now.
    for (const text of files) {
      const { own, following } = await judgeRecorded(await readTestFile(text));
      expect({ own, following }).toEqual({ own: 0, following: 0 });
    }
  },
);

async function kept(): Promise<string> {
  await using bench = await Workbench.open({ policy: [{ tool: "p__*", effect: "allow" }] });
  busy(bench);
  await bench.script([{ call: { tool: "p__do", input: { words: "hello" } } }, { say: "All done." }]);
  await bench.prompt("hi");
  const [text] = await filesOf(bench);
  return text ?? "";
}

test("the file is judged by the plugins of another agent, and what was expected and is another is named", async () => {
  const file = await kept();
  await using bench = await Workbench.open();
  busy(bench, { bye: "Farewell.", loud: "" });

  const { expect: parts, compared } = await bench.replays.judge("a", { file, ...asItIs }, never);
  expect(parts).toEqual(["calls", "decisions", "text"]);
  const failed = failedRows(compared, parts).flatMap(({ differences }) => differences);
  expect(failed).toEqual([
    { kind: "text", left: "All done. Goodbye.", right: "All done. Farewell.", follows: true },
  ]);

  const without = await bench.replays.judge("a", { file, ...asItIs, without: ["warden"] }, never);
  const gone = failedRows(without.compared, parts).map(({ left, differences }) => [
    left?.kind,
    differences.map(({ kind }) => kind),
  ]);
  expect(gone).toContainEqual(["hook", ["missing"]]);
  expect(gone).toContainEqual(["tool", ["arguments"]]);
});

test("no stored secret is in the file, not even one that was stored after the turn", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "p__*", effect: "allow" }] });
  const secret = "swordfish-9143-not-to-be-seen";
  bench.pool.tool("p", "p__do", () => `the key is ${secret}`.repeat(90));
  await bench.script([
    { say: `I use ${secret}.`, call: { tool: "p__do", input: { words: secret } } },
    { say: secret },
  ]);
  await bench.prompt(`use ${secret}`);
  const [open] = await filesOf(bench);
  expect(open).toContain(secret);
  bench.secrets.set("KEY", secret);

  const [text = ""] = await filesOf(bench);

  expect(text).not.toContain(secret);
  const { own, following } = await judgeRecorded(await readTestFile(text));
  expect({ own, following }).toEqual({ own: 0, following: 0 });
});

interface KeptFile {
  events: object[];
  blobs: Record<string, string>;
}

/** The file with a changed value. */
function with_(text: string, change: (file: KeptFile) => void): string {
  const file = JSON.parse(text) as KeptFile;
  change(file);
  return JSON.stringify(file);
}

const hash = "0".repeat(64);
const damages: [string, (text: string) => string, string][] = [
  ["half of it", (text) => text.slice(0, text.length / 2), "no JSON"],
  ["nothing", () => "", "no JSON"],
  ["another JSON", () => `{"name":"x"}`, "not a turn that Patchbay kept"],
  ["null", () => "null", "not a turn that Patchbay kept"],
  ["a newer format", (text) => text.replace('"patchbayReplay": 1', '"patchbayReplay": 2'), "another version"],
  [
    "a missing part",
    (text) => with_(text, (file) => void Reflect.deleteProperty(file, "entries")),
    "damaged",
  ],
  [
    "a large part under a wrong digest",
    (text) => with_(text, (file) => Object.assign(file.blobs, { [hash]: "1" })),
    "not what it was",
  ],
  ["no blobs", (text) => with_(text, (file) => Object.assign(file, { blobs: {} })), "damaged"],
  ["no end", (text) => with_(text, (file) => void file.events.pop()), "whole turn"],
  [
    "two turns in one",
    (text) => with_(text, (file) => Object.assign(file, { events: [file.events, file.events].flat() })),
    "damaged",
  ],
  [
    "an agent that is none",
    (text) => with_(text, (file) => Object.assign(file.events[0] ?? {}, { world: { agent: "../../etc" } })),
    "damaged",
  ],
  ["more than fits", (text) => text.padEnd(9 * 1024 * 1024), "larger than 8 MiB"],
];

test.each(damages)("a file that is %s is refused with a sentence", async (_what, damage, sentence) => {
  const text = damage(await kept());
  const refused = await readTestFile(text).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "REPLAY_FILE_INVALID", message: expect.stringContaining(sentence) });
});

test("a file of parts that refer to each other again and again is refused before it fills the memory", async () => {
  const { createHash } = await import("node:crypto");
  const blobs: Record<string, string> = {};
  let last = JSON.stringify("x".repeat(1_000));
  for (let depth = 0; depth < 40; depth += 1) {
    const address = createHash("sha256").update(last).digest("hex");
    blobs[address] = last;
    last = JSON.stringify([{ $blob: address }, { $blob: address }]);
  }
  const top = createHash("sha256").update(last).digest("hex");
  blobs[top] = last;
  const text = with_(await kept(), (file) => {
    Object.assign(file.blobs, blobs);
    Object.assign(file.events[0] ?? {}, { world: { $blob: top } });
  });
  await expect(readTestFile(text)).rejects.toMatchObject({ code: "REPLAY_FILE_INVALID" });
}, 20_000);

test("what a file calls a path is never opened", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "*", effect: "allow" }] });
  await bench.script([
    { call: { tool: "read_file", input: { path: "../../../etc/hostname" } } },
    { say: "Done." },
  ]);
  await bench.prompt("hi");
  const [text = ""] = await filesOf(bench);
  const elsewhere = text.replaceAll(bench.home, "/proc/self");

  const file = await readTestFile(elsewhere);
  const { rows, own } = await judgeRecorded(file);
  expect(own).toBe(0);
  expect(rows.some(({ right }) => right?.name === "read_file")).toBe(true);
  expect(await file.files.read("../../../etc/hostname")).toBeUndefined();
});
