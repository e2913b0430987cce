import type { ClientLink } from "@orpc/client";
import { RPCLink } from "@orpc/client/websocket";

type Link = ClientLink<Record<never, never>>;

/**
 * Calls over a socket that has opened. oRPC tells the core of an aborted call from a listener that nobody waits for: on a
 * socket that has begun to close its sending fails, and that is an error of the page that nobody can catch. Here it is left
 * unsaid, because the end of the socket says it; a new call fails at once instead of waiting for an answer.
 */
export function linkOver(socket: WebSocket): Link {
  const isOpen = () => socket.readyState === WebSocket.OPEN;
  const link: Link = new RPCLink({
    websocket: {
      readyState: WebSocket.OPEN,
      send: (data) => {
        if (isOpen()) socket.send(data);
      },
      addEventListener: socket.addEventListener.bind(socket),
      removeEventListener: socket.removeEventListener.bind(socket),
    },
  });
  return {
    call: (path, input, options) =>
      isOpen() ? link.call(path, input, options) : Promise.reject(new Error("The connection is closed.")),
  };
}
