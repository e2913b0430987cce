import type { ClientLink } from "@orpc/client";
import { RPCLink } from "@orpc/client/websocket";

type Link = ClientLink<Record<never, never>>;

/**
 * Calls over an open socket. When a call is aborted, oRPC tells the core from a listener whose result nobody awaits. On
 * a closing socket that sending fails, and the page gets an error that nothing can catch. So it is not sent on a
 * closing socket: the core learns the same from the socket's end. A new call on a closing socket fails at once instead
 * of waiting for an answer.
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
