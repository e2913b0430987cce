import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A server on this computer that counts what is connected and keeps what it is sent. */
export async function listening() {
  const sockets = new Set<Socket>();
  let heard = "";
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("data", (chunk) => {
      heard += chunk;
    });
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    get heard() {
      return heard;
    },
    get open() {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
