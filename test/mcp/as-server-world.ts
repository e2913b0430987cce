import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createRouterClient } from "@orpc/server";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { testPlatform } from "../catalog/support.ts";
import { writeFiles } from "../support/fixture-plugin.ts";
import { serverFolder } from "./server-folder.ts";

const bin = resolve("bin/patchbay");
const hello = resolve("test/fixtures/fledge/hello");

/** Tools of Patchbay's own system: quick ones, one that asks, one that waits, one with a picture. */
const kit = `let ask;
const tool = (name, execute, more = {}) => ({
  name, description: "Does " + name + ".", parameters: { type: "object", properties: { text: { type: "string" } } }, execute, ...more,
});
export default {
  manifestVersion: 1, key: "kit", displayName: "Kit", description: "Tools for tests.",
  tools: {
    namespace: "kit",
    start: async (_config, ctx) => {
      ask = ctx.ask;
      return { stop: async () => {}, toolsets: [{ id: "kit", description: "Tools.", tools: [
        tool("echo", async ({ text }) => ({ content: [{ type: "text", text: "echo " + text }], details: { length: text.length } })),
        tool("fail", async () => { throw new Error("The ink is dry."); }),
        tool("picture", async () => ({ content: [{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }] })),
        tool("asks", async () => "answered " + JSON.stringify(await ask.confirm("Shall it rain?", {}))),
        tool("wait", (_input, call) => new Promise((resolve, reject) => {
          call.onUpdate("one"); call.onUpdate("two");
          call.signal.addEventListener("abort", () => reject(new Error("stopped")));
        })),
        tool("steps", async (_input, call) => { call.onUpdate("one"); call.onUpdate("two"); return "done"; }),
      ] }] };
    },
  },
};`;
/** Refuses every call whose text speaks of gold, and covers what is read of the plugin `twin`. */
const warden = `export default {
  manifestVersion: 1, key: "warden", displayName: "Warden", description: "Guards.",
  hooks: { events: ["tool.before@v1", "tool.result@v1"], async start(_config, ctx) {
    ctx.on("tool.before@v1", ({ args }) =>
      JSON.stringify(args).includes("gold") ? { allow: false, reason: "It is about gold" } : { allow: true });
    ctx.on("tool.result@v1", ({ toolName }) =>
      toolName === "resources:twin" ? { content: [{ type: "text", text: "covered" }] } : undefined);
    return { stop: async () => {} };
  } },
};`;

type Rule = { tool: string; effect: "allow" | "ask" | "deny" };

/** A home with an agent that has tools of two systems and a guard; programs connect to it over MCP. */
export class ServedHome {
  readonly folder: string;
  readonly home: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.home = join(folder, "home");
  }

  /**
   * @param policy the rules of the agent `ada`
   * @param servers plugins that are MCP servers of the tests, by their keys
   */
  static async make(
    policy: Rule[] = [{ tool: "*", effect: "allow" }],
    servers: Record<string, Parameters<typeof serverFolder>[1]> = {},
  ): Promise<ServedHome> {
    const made = new ServedHome(await mkdtemp(join(tmpdir(), "patchbay-served-")));
    const sources = { kit, warden };
    for (const [name, text] of Object.entries(sources))
      await writeFiles(join(made.folder, name), {
        "package.json": JSON.stringify({ name, version: "1.0.0", type: "module", exports: "./index.js" }),
        "index.js": text,
      });
    for (const [key, name] of Object.entries(servers))
      await serverFolder(join(made.folder, key), name, { key });
    const folders = [...Object.keys(sources), ...Object.keys(servers)].map((name) => join(made.folder, name));
    await made.here(async (client) => {
      for (const spec of [hello, ...folders]) {
        const { id } = await client.jobs.install({ spec, yes: true });
        for await (const job of await client.jobs.watch({ id })) if (job.endedAt) break;
      }
      for (const id of ["ada", "ben"]) await client.agents.create({ id, name: id, policy });
      for (const key of ["kit", "warden", "fledge-hello", ...Object.keys(servers)])
        await client.agentPlugins.set({ agentId: "ada", key, enabled: true });
    });
    return made;
  }

  /** Uses the core in this process, while no other has the home. */
  async here<T>(use: (client: ReturnType<typeof clientOf>) => Promise<T>): Promise<T> {
    const app = await createApp(await testPlatform(this.home), {});
    try {
      return await use(clientOf(app));
    } finally {
      await app.close();
    }
  }

  /** What a program's settings say of the server. */
  command(agent = "ada") {
    return { command: process.execPath, args: [bin, "--home", this.home, "mcp", "--agent", agent] };
  }

  /** The command, for messages written by hand. */
  spawn(agent = "ada"): ChildProcess {
    const { command, args } = this.command(agent);
    return spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const clientOf = (app: Awaited<ReturnType<typeof createApp>>) =>
  createRouterClient(app.router, { context: { caller: callerHere() } });

export interface Form {
  message: string;
  requestedSchema?: unknown;
}
export type Answer = { action: "accept" | "decline" | "cancel"; content?: Record<string, string | boolean> };
/** Answers what the server asks; absent: the client cannot be asked. */
export type Answering = (form: Form) => Answer | Promise<Answer>;

const info = { name: "test-program", title: "Test program", version: "1" };
const stdio = (of: ReturnType<ServedHome["command"]>) => ({ ...of, stderr: "pipe" as const });

/** The official SDK's client of the present, by the revision of 2026 or by `initialize`. */
export async function newClient(
  served: ServedHome,
  mode: "legacy" | { pin: string },
  answering?: Answering,
): Promise<Client> {
  const client = new Client(info, {
    capabilities: answering ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode },
  });
  if (answering) client.setRequestHandler("elicitation/create", ({ params }) => answering({ ...params }));
  await client.connect(new StdioClientTransport(stdio(served.command())));
  return client;
}
export const modern = { pin: "2026-07-28" };

/** The official SDK's client of 2025. */
export async function oldClient(served: ServedHome, answering?: Answering): Promise<OldClient> {
  const client = new OldClient(info, { capabilities: answering ? { elicitation: {} } : {} });
  if (answering) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answering({ ...params }));
  await client.connect(new OldStdio(stdio(served.command())));
  return client;
}

/** The words of a result. */
export function textOf(result: { content?: unknown; [more: string]: unknown }): string {
  const parts = result.content as { type: string; text?: string }[];
  return parts.map(({ text = "" }) => text).join("\n");
}
