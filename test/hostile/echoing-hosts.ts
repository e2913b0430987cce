import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Request lines, headers and bodies, as they came to a server. */
const heard = new Map<Server, string[]>();

export const heardBy = (server: Server) => (heard.get(server) ?? []).join("\n");
export const forget = () => heard.clear();
export const port = (server: Server) => (server.address() as AddressInfo).port;

/**
 * Answers with the request's head, and its `x-key` as a header. `/away` redirects to another server; `/pieces` says the key
 * in two pieces, and `/last` all that was heard before.
 */
export function answerTo(server: Server, elsewhere: () => Server): void {
  const hear = (text: string) => heard.set(server, [...(heard.get(server) ?? []), text]);
  server.on("request", (request, response) => {
    const said = [`${request.method} ${request.url}`, ...request.rawHeaders].join("\n");
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      hear(`${said}\n${body}`);
      if (request.url?.startsWith("/away"))
        response.writeHead(302, { location: `http://127.0.0.1:${port(elsewhere())}/` }).end();
      else if (request.url?.startsWith("/pieces")) inPieces(String(request.headers["x-key"]));
      else if (request.url === "/nonsense") request.socket.end("HTTP/1.1 12 \u0001\r\nx: \u0002\r\n\r\n");
      else if (request.url === "/surprise")
        request.socket.end("HTTP/1.1 101 Now\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
      else if (request.url === "/last") response.end(heardBy(server));
      else response.setHeader("x-echo", String(request.headers["x-key"])).end(said);
    });
    // The value comes back cut in two, in an answer without a length.
    function inPieces(key: string): void {
      response.write(`and ${key.slice(0, 9)}`, () => setImmediate(() => response.end(key.slice(9))));
    }
  });
  server.on("upgrade", (request, socket) => {
    hear(request.rawHeaders.join("\n"));
    socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhi");
  });
}
