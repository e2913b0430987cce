import { chmod, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ComparedTurns, TurnDifference } from "../../src/contract/index.ts";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { testPlatform } from "../catalog/support.ts";
import { writeFiles, writePlugin } from "../support/fixture-plugin.ts";

type App = Awaited<ReturnType<typeof createApp>>;
const clientOf = (of: App) => createRouterClient(of.router, { context: { caller: callerHere() } });

let root: string;
let app: App;
let client: ReturnType<typeof clientOf>;

/** Rewrites what echo is told, and what the agent says. */
const warden = (bye: string) => `export default {
  manifestVersion: 1, key: "warden", displayName: "Warden", description: "Watches.",
  hooks: {
    events: ["tool.before@v1", "message.final@v1"],
    async start() {
      return {
        handlers: {
          "tool.before@v1": ({ toolName, args }) =>
            toolName === "echo__echo"
              ? { allow: true, payload: { args: { text: args.text.toUpperCase() } } }
              : { allow: true },
          "message.final@v1": ({ text }) => ({ text: text + " ${bye}" }),
        },
        stop: async () => {},
      };
    },
  },
};`;

/** dirge: adds to the message, and forbids a word. */
const keeper = (hint: string) => `
(defn on-prompt [ctx] (harness/replace-prompt (string (ctx :prompt) " ${hint}")))
(defn on-tool-start [ctx]
  (when (string/find "forbidden" (string/ascii-lower (ctx :args))) (harness/block "the keeper says no")))`;

const calls = [
  { tool: "echo__echo", input: { text: "hello" } },
  { tool: "parcels__track", input: { number: " ab12 " } },
  { tool: "fledge_counter__count", input: {} },
  { tool: "echo__echo", input: { text: "forbidden" } },
  { tool: "list_files", input: {} },
];

async function install(spec: string): Promise<void> {
  const { id } = await client.jobs.install({ spec, yes: true, link: true, allowScripts: true });
  for await (const job of await client.jobs.watch({ id }))
    if (job.endedAt) {
      expect(job).toMatchObject({ status: "done", problem: null });
      return;
    }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "patchbay-replayed-"));
  app = await createApp(await testPlatform(join(root, "home")), {});
  client = clientOf(app);
  app.gatewayOpened("http://127.0.0.1:0");
  await writePlugin(join(root, "echo"));
  await writePlugin(join(root, "warden"), { key: "warden", files: { "index.js": warden("Goodbye.") } });
  await writeFile(join(root, "keeper.janet"), keeper("Be polite."));
  await cp("test/fixtures/flowly/parcels", join(root, "parcels"), { recursive: true });
  await writeFiles(join(root, "counter"), {
    "plugin.toml": `[plugin]\nname = "counter"\nversion = "1.0.0"\n[[commands]]\nname = "count"\nbinary = "count.sh"\n`,
    "count.sh": '#!/bin/sh\nprintf "counted $#"\n',
  });
  await chmod(join(root, "counter", "count.sh"), 0o755);
  const file = join(root, "script.json");
  const script = [{ say: "I go to work.", call: calls }, { say: "It is done." }];
  await writeFile(file, JSON.stringify([...script, ...script]));
  await client.agents.create({
    id: "ada",
    name: "Ada",
    model: { kind: "scripted", file },
    policy: [{ tool: "*", effect: "allow" }],
  });
  for (const spec of ["echo", "warden", "keeper.janet", "parcels", "counter"])
    await install(join(root, spec));
  for (const key of ["echo", "warden", "keeper", "parcels", "fledge-counter"])
    await client.agentPlugins.set({ agentId: "ada", key, enabled: true });
}, 120_000);

afterAll(async () => {
  await app?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

/** What differs and is explained by nothing else: the stretch, its plugin, and what of it. */
function own({ rows }: ComparedTurns, fits: (one: TurnDifference) => boolean = ({ follows }) => !follows) {
  return rows.flatMap(({ left, right, differences }) =>
    differences
      .filter(fits)
      .map(({ kind }) =>
        [(left ?? right)?.kind, (left ?? right)?.name, (left ?? right)?.owner, kind].join(" "),
      ),
  );
}

async function record() {
  for await (const _event of await client.sessions.prompt({ agentId: "ada", text: "Work." }));
  const [session] = await client.sessions.list({ agentId: "ada" });
  const sessionId = session?.id ?? "";
  const [turn] = await client.traces.turns({ agentId: "ada", sessionId });
  return { agentId: "ada", sessionId, turnId: turn?.turnId ?? "" };
}

async function replayed(
  of: Awaited<ReturnType<typeof record>>,
  wish: { plugins: "recorded" | "live"; without?: string[] },
) {
  const { id: replayId } = await client.replays.run({ ...of, ...wish });
  return client.replays.compare({ agentId: "ada", left: of, right: { replayId } });
}

test("a turn with plugins of four systems is the same again, with their hooks really asked; a changed one is the difference", async () => {
  const turn = await record();
  const events = await client.traces.turn(turn);
  const ended = events.flatMap((event) => (event.type === "tool_ended" ? [[event.tool, event.outcome]] : []));
  expect(ended).toEqual([
    ["echo__echo", "executed"],
    ["parcels__track", "executed"],
    ["fledge_counter__count", "executed"],
    ["echo__echo", "vetoed"],
    ["list_files", "executed"],
  ]);
  const asked = new Set(events.flatMap((event) => (event.type === "hook_asked" ? [event.owner] : [])));
  expect(asked).toEqual(new Set(["warden", "keeper", "parcels"]));

  expect(own(await replayed(turn, { plugins: "recorded" }), () => true)).toEqual([]);
  expect(own(await replayed(turn, { plugins: "live" }), () => true)).toEqual([]);

  await writeFile(join(root, "keeper.janet"), keeper("Be blunt."));
  await vi.waitFor(
    async () => {
      const changed = own(await replayed(turn, { plugins: "live" }));
      expect(changed).toHaveLength(1);
      expect(changed[0]).toMatch(/^hook \S+ keeper changes$/);
    },
    { timeout: 20_000, interval: 300 },
  );

  const without = own(await replayed(turn, { plugins: "live", without: ["parcels"] }));
  expect(without.filter((line) => line.endsWith("missing")).every((line) => line.includes(" parcels "))).toBe(
    true,
  );
  expect(without).toContainEqual(expect.stringMatching(/^hook tool\.before@v1 parcels missing$/));
  expect(await readFile(join(root, "keeper.janet"), "utf8")).toContain("Be blunt.");
}, 120_000);
