import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { rolldown } from "rolldown";
import { spawnNodeHost } from "../../src/main/platform/spawned-host.ts";
import { SpokenTransport } from "../../src/main/runtimes/mcp/connection/spoken-transport.ts";
import { wallOfInspection } from "../../src/main/runtimes/wall-of.ts";
import { root } from "./paths.ts";

let code: Promise<string> | undefined;

/** The echo server of `children/mcp-echo.ts` in one file: a walled program sees nothing of this checkout. */
function echoCode(): Promise<string> {
  code ??= (async () => {
    const build = await rolldown({ input: join(root, "bench/children/mcp-echo.ts"), platform: "node" });
    const { output } = await build.generate({ format: "esm", codeSplitting: false });
    await build.close();
    return output[0].code;
  })();
  return code;
}

/** Writes the folder of an MCP server with one tool, `echo`; resolves with the file that is run. */
export async function writeEchoServer(dir: string, key: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  const file = join(dir, "server.mjs");
  await writeFile(file, await echoCode());
  const server = { type: "node", entry: "server.mjs" };
  const described = { schema: 1, name: key, title: key, origin: { kind: "manual" }, server };
  await writeFile(join(dir, "patchbay-mcp.json"), JSON.stringify(described));
  return file;
}

/** The SDK's own client over the same program, which is not walled. */
export class BareClient implements AsyncDisposable {
  readonly #client = new Client({ name: "bench", version: "1.0.0" });

  /** Resolves when it has connected and knows the server's tools, as Patchbay does when a plugin runs. */
  static async start(file: string): Promise<BareClient> {
    const bare = new BareClient();
    await bare.#client.connect(new StdioClientTransport({ command: process.execPath, args: [file] }));
    await bare.#client.listTools();
    return bare;
  }

  /** The same over the program behind a wall of the kind that Patchbay puts around it, and nothing else of Patchbay. */
  static async startWalled(file: string): Promise<BareClient> {
    const bare = new BareClient();
    const wall = wallOfInspection(dirname(file));
    const host = spawnNodeHost({
      file: process.execPath,
      args: [file],
      cwd: tmpdir(),
      env: { PATH: process.env.PATH ?? "" },
      wire: "stdio",
      wall: {
        ...wall,
        read: [...wall.read, process.execPath],
        hidden: [join(tmpdir(), "patchbay-bench-home")],
        network: { decide: async () => ({ allowed: true }) },
      },
    });
    await bare.#client.connect(new SpokenTransport(host, { said() {}, noise() {}, tooLarge() {} }));
    await bare.#client.listTools();
    return bare;
  }

  call(text: string): Promise<unknown> {
    return this.#client.callTool({ name: "echo", arguments: { text } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}
