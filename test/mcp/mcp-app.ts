import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { testPlatform } from "../catalog/support.ts";

type App = Awaited<ReturnType<typeof createApp>>;
const clientOf = (of: App) => createRouterClient(of.router, { context: { caller: callerHere() } });

async function started(root: string): Promise<App> {
  const app = await createApp(await testPlatform(join(root, "home")), {});
  app.gatewayOpened("http://127.0.0.1:0");
  return app;
}

/** The app with one agent that may call everything, for servers of the tests. */
export class McpApp {
  readonly root: string;
  client: ReturnType<typeof clientOf>;
  readonly agentId = "ada";
  #app: App;

  private constructor(root: string, app: App) {
    this.root = root;
    this.#app = app;
    this.client = clientOf(app);
  }

  static async open(): Promise<McpApp> {
    const root = await mkdtemp(join(tmpdir(), "patchbay-mcp-"));
    const opened = new McpApp(root, await started(root));
    await opened.client.agents.create({ id: "ada", name: "ada", policy: [{ tool: "*", effect: "allow" }] });
    return opened;
  }

  /** Ends it and starts it again over the same home. */
  async restart(): Promise<void> {
    await this.#app.close();
    this.#app = await started(this.root);
    this.client = clientOf(this.#app);
  }

  async close(): Promise<void> {
    await this.#app.close();
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Runs an installation to its end. */
  async install(spec: string) {
    const { id } = await this.client.jobs.install({ spec, yes: true });
    for await (const job of await this.client.jobs.watch({ id })) if (job.endedAt) return job;
    throw new Error("the job went nowhere");
  }

  /** Switches a server on and waits until it runs, or has failed to. */
  async switchOn(key: string, config?: Record<string, unknown>) {
    const { agentId } = this;
    await this.client.agentPlugins.set({ agentId, key, enabled: true, ...(config && { config }) });
    await this.client.tools.list({ agentId });
    return this.client.agentPlugins.get({ agentId, key });
  }

  async call(name: string, input: Record<string, unknown> = {}) {
    const { agentId } = this;
    try {
      const { content, trace, details } = await this.client.tools.call({ agentId, name, input, yes: true });
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return { outcome: trace.outcome, text, details };
    } catch (error) {
      return { error };
    }
  }
}
