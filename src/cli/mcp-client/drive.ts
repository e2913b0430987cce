import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PatchbayError, type Problem, toProblem } from "../../contract/index.ts";
import { LoginPath } from "../../main/platform/login-path.ts";
import { nodePlatform } from "../../main/platform/node-platform.ts";
import { McpRuntime } from "../../main/runtimes/mcp/mcp-runtime.ts";
import { serverFileName } from "../../main/runtimes/mcp/server/server-file.ts";
import { openFileStorage, storeAt } from "../../main/store/index.ts";
import { Drive, type Driven, wantsSignIn } from "./driven.ts";
import { type OwnClient, signInAlone } from "./headless-sign-in.ts";
import { startRequestFor } from "./start-request.ts";

export interface DriveOptions {
  url: string;
  headers: Record<string, string>;
  /** Address of the public document that describes the client; null: there is none. */
  document: string | null;
  /** A client that was made at the provider before; null: there is none. */
  client: OwnClient | null;
  /** Milliseconds that the start and each request have. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** What came of driving a server; what is null is not known, because the server did not start. */
export interface DriveReport extends Driven {
  url: string;
  era: "legacy" | "modern" | null;
  /** The revision of the protocol that was agreed on. */
  version: string | null;
  /** What the server calls itself. */
  server: { name: string; version: string } | null;
  instructions: string | null;
  /** What is wrong with the server, in the words that a person reads. Empty: nothing is. */
  problems: Problem[];
}

/**
 * Starts the server at an address as it is started for an agent, asks for all that it offers, and ends it. Nothing of that
 * outlives the call but what the server keeps.
 */
export async function drive({
  url,
  headers,
  document,
  client,
  timeoutMs,
  signal,
}: DriveOptions): Promise<DriveReport> {
  const home = await mkdtemp(join(tmpdir(), "patchbay-mcp-client-"));
  const report: DriveReport = {
    url,
    era: null,
    version: null,
    server: null,
    instructions: null,
    tools: [],
    prompts: [],
    resources: [],
    asked: [],
    problems: [],
  };
  try {
    const runtime = new McpRuntime({
      platform: nodePlatform({ shell: "cli", store: storeAt(home) }),
      storage: openFileStorage({ home, onNotice: (problem) => report.problems.push(problem) }),
      loginPath: new LoginPath(),
      clientMetadataUrl: () => document,
    });
    // Refuses what is no address, in the words that a person reads.
    runtime.endpointOf(`mcp:${url}`);
    const dir = join(home, "server");
    const workspace = join(home, "workspace");
    await Promise.all([dir, workspace].map((folder) => mkdir(folder)));
    const server = { type: "remote", url, headers };
    const file = { schema: 1, name: "driven", origin: { kind: "manual" }, server };
    await writeFile(join(dir, serverFileName), JSON.stringify(file));
    const artifact = { kind: "folder", dir } as const;
    const driven = new Drive(report, timeoutMs);
    const request = startRequestFor(artifact, await runtime.inspect(artifact), {
      workspace,
      timeoutMs,
      services: driven.services,
    });
    // Once more when somebody wants to be signed in to, and once more when that was for too little.
    const signIn = async () => {
      const { plugin, limits, walls, memoryMb, services, config } = request;
      const setup = await runtime.openSetup({
        agentId: request.agentId,
        plugin,
        reason: driven.grant === null ? "first" : "sign_in_again",
        config,
        scopes: (driven.grant?.scope ?? "").split(" ").filter((scope) => scope !== ""),
        workspace,
        limits,
        services,
        walls,
        memoryMb,
      });
      driven.grant = await signInAlone(setup, client, signal);
    };
    const instance = await runtime.start(request, signal).catch(async (error: unknown) => {
      if (!wantsSignIn(error)) throw error;
      await signIn();
      return runtime.start(request, signal);
    });
    driven.signIn = signIn;
    try {
      const { era, version, server: named } = instance.speaks;
      Object.assign(report, { era, version, server: named });
      report.instructions = instance.contributions.toolsets[0]?.description ?? null;
      await driven.all(instance, signal);
    } finally {
      await instance.stop();
    }
  } catch (error) {
    if (signal.aborted) throw new PatchbayError("ABORTED", "The server was not driven to its end.");
    report.problems.push(toProblem(error));
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
  return report;
}
