import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { expect } from "vitest";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { hashTree } from "../../src/main/catalog/tree.ts";
import { testPlatform } from "../catalog/support.ts";
import { writeFiles } from "../support/fixture-plugin.ts";
import { auditOf } from "../support/hostile.ts";

/** A fledge plugin that was installed, with what an attack needs of it. */
export interface Installed {
  /** Its folder, as its programs and this machine name it. */
  dir: string;
  /** Runs a shell script as its program for an agent, in its own folder; answers with all that it printed. */
  run(agentId: string, script: string): Promise<string>;
  /** Calls one of its commands. */
  call(agentId: string, command: string, input?: Record<string, unknown>): Promise<string>;
  /** Nothing of what was installed has changed. */
  isUnchanged(): Promise<void>;
}

/** One real Patchbay with two agents, ada and bob, which have the fledge plugins that a test installs. */
export class FledgeHouse implements AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly #app: Awaited<ReturnType<typeof createApp>>;
  readonly #client;
  readonly #running = new AbortController();

  static async open(): Promise<FledgeHouse> {
    const root = await realpath(await mkdtemp(join(tmpdir(), "patchbay-house-")));
    const home = join(root, "home");
    const house = new FledgeHouse(root, home, await createApp(await testPlatform(home)));
    const policy = [{ tool: "*", effect: "allow" as const }];
    for (const id of ["ada", "bob"]) await house.#client.agents.create({ id, name: id, policy });
    return house;
  }

  private constructor(root: string, home: string, app: Awaited<ReturnType<typeof createApp>>) {
    this.root = root;
    this.home = home;
    this.#app = app;
    this.#client = createRouterClient(app.router, { context: { caller: callerHere() } });
    app.gatewayOpened("http://127.0.0.1:0");
  }

  /** Installs a plugin with a command `sh`, which runs the shell script that it is given in the plugin's folder. */
  async install(name: string, files: Record<string, string>, more = ""): Promise<Installed> {
    const source = join(this.root, name);
    await writeFiles(source, {
      "plugin.toml": `[plugin]
name = "${name}"
version = "1.0.0"
[capabilities]
exec = true
[[commands]]
name = "sh"
binary = "run"
args = [{ name = "script", type = "string", required = true }]
${more}`,
      run: '#!/bin/sh\ncd "$FLEDGE_PLUGIN_DIR" && eval "$1"\n',
      ...files,
    });
    const { id } = await this.#client.jobs.install({ spec: source, yes: true, allowScripts: true });
    for await (const job of await this.#client.jobs.watch({ id })) {
      if (job.endedAt) expect(job.problem).toBeNull();
    }
    const key = `fledge-${name}`;
    for (const agentId of ["ada", "bob"])
      await this.#client.agentPlugins.set({ agentId, key, enabled: true });
    const [plugin] = (await this.#client.plugins.list()).filter(({ manifestKey }) => manifestKey === key);
    const dir = plugin?.artifact.kind === "folder" ? plugin.artifact.dir : "";
    const before = await hashTree(dir);
    const call: Installed["call"] = async (agentId, command, input = {}) => {
      const { output, trace } = await this.#app.tools.call({
        agentId,
        sessionId: "hostile",
        turnId: null,
        tool: `fledge_${name}__${command}`,
        input,
        caller: { kind: "owner" },
        signal: this.#running.signal,
      });
      expect(trace.problem).toBeNull();
      return output.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    };
    return {
      dir,
      call,
      run: (agentId, script) => call(agentId, "sh", { script: `{ ${script}\n} 2>&1; true` }),
      isUnchanged: async () => expect(await hashTree(dir)).toBe(before),
    };
  }

  /** Where an agent's plugin keeps its data, on this machine. */
  dataOf(agentId: string, name: string): string {
    return join(this.home, "agents", agentId, "storage", `fledge-${name}`, "folder");
  }

  /** Resolves when a refused attempt on that file stands in the audit, for the person to see. */
  async seen(path: string, agentId = "ada"): Promise<void> {
    const told = async () =>
      (await auditOf(this.home)).filter(
        ({ kind, target, agentId: whose }) => kind === "wall.refused" && target === path && whose === agentId,
      );
    await expect.poll(told, { timeout: 10_000, message: `${path} is in the audit` }).toHaveLength(1);
    expect(await told()).toMatchObject([{ wall: "files", seenBy: "wall" }]);
  }

  /** Begins a conversation, at which hooks of plugins run; resolves with the agent's workspace. */
  async converse(agentId: string): Promise<string> {
    await this.#client.sessions.create({ agentId });
    return (await this.#client.agents.get({ agentId })).workspace;
  }

  /** What the audit says of hooks that failed. */
  async failedHooks(): Promise<string[]> {
    const lines = await auditOf(this.home);
    return lines.filter(({ kind }) => kind === "hook.failed").map((line) => JSON.stringify(line));
  }

  /** What the audit tells of all attempts on files until now. */
  async attempts(): Promise<unknown[]> {
    const lines = await auditOf(this.home);
    return lines.filter(({ kind }) => kind === "wall.refused").map(({ target }) => target);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app.close();
    await rm(this.root, { recursive: true, force: true });
  }
}
