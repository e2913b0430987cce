import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const child = (file: string) => join(import.meta.dirname, "children", file);

/** A process started with plain `child_process.fork`, that sends back what it gets. */
export class BareFork implements AsyncDisposable {
  readonly process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.process = process;
  }

  /** Resolves with its first message. */
  static async start(): Promise<BareFork> {
    const forked = fork(child("fork-echo.cjs"), { stdio: "ignore" });
    await once(forked, "message");
    return new BareFork(forked);
  }

  /** One round trip, in the order in which calls are made. */
  call(message: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.process.once("message", resolve);
      this.process.send(message, (error) => error && reject(error));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await gone;
  }
}

/** The echo tool behind the official MCP SDK, over stdio. */
export class McpEcho implements AsyncDisposable {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async start(): Promise<McpEcho> {
    const client = new Client({ name: "bench", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [child("mcp-echo.ts")] }),
    );
    return new McpEcho(client);
  }

  call(text: string): Promise<unknown> {
    return this.#client.callTool({ name: "echo", arguments: { text } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}
