import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatServer } from "../../test/support/chat-server.ts";
import { ask } from "../support/core.ts";
import type { Team } from "./team.ts";

const root = join(import.meta.dirname, "..", "..");

const conversation = [
  {
    say: "I'll look at what is there and remove `build/old`.",
    call: { tool: "shell", input: { command: "rm -rf build && echo 214 files removed" } },
  },
  { say: "Done. 214 files removed (38 MB). Two tracked files are untouched; nothing to commit." },
  {
    say: "One more place to look.",
    call: { tool: "shell", input: { command: "du -sh build/* | sort -h" } },
  },
  { say: "That is all: the build folder is empty now." },
  { say: "There are three.", call: { tool: "fledge_git_tools__tidy", input: {} } },
  { say: "They are gone." },
];

/** An agent as one would find it in use: something runs, something is off, something needs the person. */
export async function furnish(home: string, team: Team, chat: ChatServer): Promise<void> {
  const set = (agent: string, key: string, wanted: object) =>
    ask(home, "PUT", `/agents/${agent}/plugins/${key}`, wanted);
  const model = async (agent: string, steps: unknown[]) => {
    const file = join(home, agent === "helper" ? "demo.json" : "faq.json");
    await writeFile(file, JSON.stringify(steps));
    await ask(home, "PATCH", `/agents/${agent}`, { model: { kind: "scripted", file } });
  };

  await ask(home, "PATCH", "/settings", { ...team.settings, welcomeClosed: true });
  for (const name of ["careful", "weather", "courier", "postbox"])
    await install(home, join(root, "e2e", "plugins", name));
  await install(home, join(root, "e2e", "screens", "plugins", "git-tools"));
  for (const key of ["http", "guard"]) await install(home, `builtin:${key}`);
  const mailbox = join(home, "..", "downloads", "mailbox");
  await install(home, mailbox);
  await bumpVersion(mailbox, "1.1.0");
  await install(home, mailbox);

  await set("helper", "careful", { enabled: true });
  await set("helper", "guard", { enabled: true });
  await set("helper", "fledge-git-tools", { enabled: true });
  await set("helper", "http", {
    enabled: true,
    config: { tools: { allowedHosts: ["example.com", "*.wikipedia.org"] } },
  });
  await set("helper", "mailbox", { enabled: true, config: { channel: { trouble: "fails" } } });
  await set("helper", "weather", { enabled: true });
  await ask(home, "PATCH", "/agents/helper", { policy: [{ tool: "fledge_git_tools__*", effect: "allow" }] });
  await model("helper", conversation);

  for (const name of ["Research", "Support", "Translator"]) await ask(home, "POST", "/agents", { name });
  await ask(home, "PUT", "/secrets/WEATHER_API_KEY", { value: "only for the picture" });
  await ask(home, "PUT", "/secrets/ANTHROPIC_API_KEY", { value: "only for the picture" });
  await set("research", "weather", {
    enabled: true,
    config: { tools: { units: "metric", apiKey: placeholder("WEATHER_API_KEY") } },
  });
  await set("research", "careful", { enabled: true });
  await set("support", "careful", { enabled: true });
  await set("support", "mailbox", { enabled: true });
  await set("support", "postbox", {
    enabled: true,
    config: { channel: { server: chat.url, owners: ["olga"] } },
  });
  await set("translator", "guard", { enabled: true });
  await ask(home, "PATCH", "/agents/translator", {
    model: {
      kind: "anthropic",
      model: "claude-sonnet-4-5",
      apiKey: placeholder("ANTHROPIC_API_KEY"),
    },
  });
  await ask(home, "PATCH", "/agents/research", {
    model: { kind: "openai-compatible", model: "qwen3:8b", baseUrl: "http://localhost:11434/v1" },
  });
  await model("support", [{ say: "Good morning! It left the depot at 7:40 and is due before noon." }]);
  await chatter(chat);
  await decide(home);
}

/** How settings refer to a secret. */
export const placeholder = (name: string) => `\${${name}}`;

/** Two people write to the support's chat. */
async function chatter(chat: ChatServer): Promise<void> {
  chat.say({ chat: "ada", from: "ada", text: "Where is my parcel?" });
  await chat.next();
  chat.say({ chat: "grace", from: "grace", text: "When will 0421 be here?" });
  await chat.next();
}

/** A few calls that were asked about and decided. */
async function decide(home: string): Promise<void> {
  const decisions = [
    ["research", "weather__forecast", { place: "Lisbon", days: 3 }, { decision: "allow", scope: "once" }],
    [
      "support",
      "shell",
      { command: "rm -rf build" },
      { decision: "deny", reason: "Not on the day of a release." },
    ],
    [
      "support",
      "write_file",
      { path: "parcels/today.md", content: "- 0417: due before noon\n- 0421: with the neighbours" },
      { decision: "allow", scope: "once" },
    ],
  ] as const;
  for (const [agent, tool, input, answer] of decisions) {
    const call = ask(home, "POST", `/agents/${agent}/tools/${tool}/call`, { input }).catch(() => undefined);
    await ask(home, "POST", `/approvals/${await nextApproval(home)}/decide`, { answer });
    await call;
  }
}

async function nextApproval(home: string): Promise<string> {
  for (;;) {
    const approvals = await ask<{ id: string; status: string }[]>(home, "GET", "/approvals");
    const waiting = approvals.find(({ status }) => status === "waiting");
    if (waiting) return waiting.id;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function install(home: string, spec: string): Promise<void> {
  const job = await ask<{ id: string }>(home, "POST", "/jobs", { spec, yes: true });
  for (;;) {
    const { status } = await ask<{ status: string }>(home, "GET", `/jobs/${job.id}`);
    if (status === "done") return;
    if (status === "failed") throw new Error(`${spec} was not installed.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function bumpVersion(folder: string, version: string): Promise<void> {
  const file = join(folder, "package.json");
  const manifest: object = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...manifest, version }));
}
