import { StringDecoder } from "node:string_decoder";
import type { Client } from "@xmpp/client";

/**
 * Mends how the library reads what the server sends. It makes a text of each piece that comes in, so a letter of several
 * bytes that comes in two pieces would be lost; and what comes after the end of a stream has no parser any more and would
 * end the process.
 */
export function readWhole(xmpp: Client): void {
  const read = xmpp._onData.bind(xmpp);
  let socket = xmpp.socket;
  let decoder = new StringDecoder("utf8");
  xmpp._onData = (data) => {
    if (xmpp.parser === null) return;
    // Also when a connection becomes an encrypted one it gets another socket, and what is left of the one before is no letter.
    if (xmpp.socket !== socket) {
      socket = xmpp.socket;
      decoder = new StringDecoder("utf8");
    }
    read(typeof data === "string" ? data : decoder.write(data));
  };
}
