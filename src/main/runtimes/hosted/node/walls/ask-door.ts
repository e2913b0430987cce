import { Socket } from "node:net";

/** Where the door to the network is, behind the wall of this process; undefined outside of one. */
export const doorPath: string | undefined = process.env.PATCHBAY_DOOR;
delete process.env.PATCHBAY_DOOR;

/** `connect` of a socket as it was before plugin code, or we, could change it. */
export const connectAsBefore = Socket.prototype.connect;

/** Connects to a socket in the file system. */
export function connectTo(socket: Socket, path: string): void {
  Reflect.apply(connectAsBefore, socket, [{ path }]);
}

/**
 * Asks the core something at the door: one line of JSON there, one back.
 * @throws an error as the system would make it, with `code`: ECONNREFUSED, ENOTFOUND, EACCES when it is not allowed
 */
export function askDoor(question: object): Promise<Record<string, unknown>> {
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
  const socket = new Socket();
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    text += chunk;
  });
  socket.once("error", reject);
  socket.once("end", () => {
    try {
      const answer = JSON.parse(text) as Record<string, unknown>;
      if (isFailure(answer))
        reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
      else resolve(answer);
    } catch (error) {
      reject(error);
    }
  });
  connectTo(socket, doorPath ?? "");
  socket.write(`${JSON.stringify(question)}\n`);
  return promise;
}

function isFailure(answer: object): answer is { error: { code: string; message: string } } {
  return "error" in answer;
}
