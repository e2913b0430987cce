import { pathToFileURL } from "node:url";
import type { MessageConnection } from "vscode-jsonrpc/node";
import type { HostExit } from "../platform/platform.ts";
import { Program } from "../platform/program.ts";
import type { Wall } from "../platform/walls/wall.ts";
import { LanguageServerError } from "./trouble.ts";

/** Files that a server has open; the one that was asked about longest ago is closed first. */
const MOST_OPEN = 100;
/** Files of which diagnostics are kept, and how many of each. */
const MOST_DIAGNOSED = 1_000;
const MOST_DIAGNOSTICS = 1_000;
/** Milliseconds for a server to say goodbye. */
const GOODBYE_MS = 1_000;
/** Milliseconds in which the end of a program that closed its output is awaited, for its exit code. */
const END_MS = 1_000;
/** Characters of what it wrote last that are kept for its reader. */
const LAST_WORDS = 2_000;

interface OpenFile {
  version: number;
  text: string;
}

/** What this client understands of the answers. */
const capabilities = {
  workspace: { workspaceFolders: true, symbol: {}, configuration: false },
  textDocument: {
    synchronization: {},
    definition: { linkSupport: false },
    implementation: { linkSupport: false },
    references: {},
    hover: { contentFormat: ["plaintext", "markdown"] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    callHierarchy: {},
    publishDiagnostics: {},
  },
};

/** One running language server of one workspace. It learns of a file when it is asked about it. */
export class LanguageServer {
  private readonly program: Program;
  private readonly connection: MessageConnection;
  private readonly open = new Map<string, OpenFile>();
  private readonly published = new Map<string, unknown[]>();
  /** Resolves when its process is gone, with what it ended with; null where it was stopped. */
  readonly ended: Promise<LanguageServerError | null>;
  private hasEnded = false;
  private stopping = false;
  private lastWords = "";

  private constructor(program: Program, connection: MessageConnection) {
    this.program = program;
    this.connection = connection;
    program.stderr.setEncoding("utf8");
    program.stderr.on("data", (text: string) => {
      this.lastWords = (this.lastWords + text).slice(-LAST_WORDS);
    });
    this.ended = program.ended.then(
      (exit) => (this.stopping ? null : new LanguageServerError("ended", this.told(exit))),
      (error: unknown) =>
        new LanguageServerError("unstartable", error instanceof Error ? error.message : String(error)),
    );
    void this.ended.then(() => {
      this.hasEnded = true;
      connection.dispose();
    });
    connection.onNotification("textDocument/publishDiagnostics", (said: unknown) => this.keep(said));
    // A server that asks for settings, or wants to show something, is given nothing and goes on.
    connection.onRequest("workspace/configuration", (asked: { items?: unknown[] }) =>
      (asked.items ?? []).map(() => null),
    );
    connection.onRequest("workspace/applyEdit", () => ({ applied: false }));
    for (const name of [
      "client/registerCapability",
      "client/unregisterCapability",
      "window/workDoneProgress/create",
    ])
      connection.onRequest(name, () => null);
    connection.onError(() => {});
    connection.listen();
  }

  /**
   * Starts a server and tells it the workspace.
   * @param initial of the server's own options
   * @throws LanguageServerError when its program does not start or does not answer
   */
  static async start(options: {
    file: string;
    args: readonly string[];
    workspace: string;
    env: Record<string, string>;
    wall: Wall;
    initial?: unknown;
    signal: AbortSignal;
  }): Promise<LanguageServer> {
    const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = await import(
      "vscode-jsonrpc/node"
    );
    const { file, args, workspace, env, wall, initial, signal } = options;
    const program = new Program({ file, args, cwd: workspace, env, input: true, wall });
    const { stdin } = program;
    if (!stdin) throw new Error("The program has no input.");
    const connection = createMessageConnection(
      new StreamMessageReader(program.stdout),
      new StreamMessageWriter(stdin),
    );
    const server = new LanguageServer(program, connection);
    try {
      const rootUri = pathToFileURL(workspace).href;
      await server.request(
        "initialize",
        {
          processId: null,
          clientInfo: { name: "Patchbay" },
          rootUri,
          workspaceFolders: [{ uri: rootUri, name: "workspace" }],
          capabilities,
          initializationOptions: initial,
        },
        signal,
      );
      await connection.sendNotification("initialized", {});
      return server;
    } catch (error) {
      const gone = await Promise.race([server.ended, after(signal.aborted ? 0 : END_MS)]);
      server.stopping = true;
      program.signal("SIGKILL");
      throw gone ?? error;
    }
  }

  /** @throws Error when the server refuses, ends, or the signal is aborted first */
  async request(method: string, parameters: unknown, signal?: AbortSignal): Promise<unknown> {
    const gone = this.ended.then((end) =>
      Promise.reject(end ?? new Error("The language server was stopped.")),
    );
    if (this.hasEnded) return await gone;
    const aborted = new Promise<never>((_resolve, reject) => {
      if (signal?.aborted) reject(signal.reason);
      else signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    try {
      return await Promise.race([this.connection.sendRequest(method, parameters), gone, aborted]);
    } catch (error) {
      // With the end of the program, the connection gives up what it waits for in words of its own.
      throw (this.hasEnded && (await this.ended)) || error;
    }
  }

  /** Tells the server how a file reads now. */
  async show(uri: string, languageId: string, text: string): Promise<void> {
    const known = this.open.get(uri);
    if (known?.text === text) {
      this.touch(uri, known);
      return;
    }
    const version = (known?.version ?? 0) + 1;
    this.touch(uri, { version, text });
    if (known) {
      const change = { textDocument: { uri, version }, contentChanges: [{ text }] };
      await this.connection.sendNotification("textDocument/didChange", change);
      return;
    }
    await this.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId, version, text },
    });
    const [oldest] = this.open.keys();
    if (this.open.size <= MOST_OPEN || oldest === undefined) return;
    this.open.delete(oldest);
    await this.connection.sendNotification("textDocument/didClose", { textDocument: { uri: oldest } });
  }

  diagnostics(uri: string): readonly unknown[] {
    return this.published.get(uri) ?? [];
  }

  /** Ends it, by force after a second. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.hasEnded) return;
    this.program.signalAfter(GOODBYE_MS, "SIGKILL");
    await this.request("shutdown", null, AbortSignal.timeout(GOODBYE_MS)).catch(() => undefined);
    if (!this.hasEnded) await this.connection.sendNotification("exit").catch(() => undefined);
    await this.ended;
  }

  /** How it ended, and the last of what it wrote. */
  private told({ code, signal, error, endedFor }: HostExit): string {
    const how = error ?? endedFor ?? (signal === null ? `exit code ${code}` : `signal ${signal}`);
    return [how, this.lastWords.trim()].filter((part) => part !== "").join("\n");
  }

  private touch(uri: string, file: OpenFile): void {
    this.open.delete(uri);
    this.open.set(uri, file);
  }

  private keep(said: unknown): void {
    const { uri, diagnostics } = (said ?? {}) as { uri?: unknown; diagnostics?: unknown };
    if (typeof uri !== "string" || !Array.isArray(diagnostics)) return;
    this.published.delete(uri);
    this.published.set(uri, diagnostics.slice(0, MOST_DIAGNOSTICS));
    const [oldest] = this.published.keys();
    if (this.published.size > MOST_DIAGNOSED && oldest !== undefined) this.published.delete(oldest);
  }
}

function after(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms).unref());
}
