import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The repositories below a folder over HTTP, served by git itself. */
export interface GitServer extends AsyncDisposable {
  /** The address of a repository by the name of its folder, such as `plugins.git`. */
  url(name: string): string;
}

export async function serveGit(root: string): Promise<GitServer> {
  const server = createServer((request, response) => {
    answer(root, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const backend = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      ...(request.headers["content-encoding"] && {
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
      }),
      ...(request.headers["git-protocol"] && { GIT_PROTOCOL: String(request.headers["git-protocol"]) }),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  backend.stdin.on("error", () => {});
  request.pipe(backend.stdin);
  const parts: Buffer[] = [];
  backend.stdout.on("data", (part: Buffer) => parts.push(part));
  backend.on("close", () => {
    const whole = Buffer.concat(parts);
    const end = whole.indexOf("\r\n\r\n");
    let status = 200;
    for (const line of whole.subarray(0, end).toString().split("\r\n")) {
      const [, name = "", value = ""] = /^([^:]+): (.*)$/.exec(line) ?? [];
      if (name === "Status") status = Number.parseInt(value, 10);
      else if (name !== "") response.setHeader(name, value);
    }
    response.writeHead(status).end(whole.subarray(end + 4));
  });
}
