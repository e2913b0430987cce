import type { StandardRPCHandlerOptions } from "@orpc/server/standard";
import { requestError } from "./errors.ts";

/**
 * Options for every oRPC handler over `app.router` (MessagePort, WebSocket, HTTP): what fails before a procedure is reached,
 * such as a body that is not JSON, leaves in the same form as a procedure's own errors.
 */
export function rpcHandlerOptions(): StandardRPCHandlerOptions<Record<never, never>> {
  return {
    interceptors: [
      async (options) => {
        try {
          return await options.next();
        } catch (error) {
          throw requestError(error);
        }
      },
    ],
  };
}
