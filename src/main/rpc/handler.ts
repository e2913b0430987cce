import type { StandardRPCHandlerOptions } from "@orpc/server/standard";
import type { CallContext } from "./context.ts";
import { requestError } from "./errors.ts";

/**
 * Options for every oRPC handler over `app.router` (MessagePort, WebSocket, HTTP): what fails before a procedure is reached,
 * such as a body that is not JSON, leaves in the same form as a procedure's own errors.
 */
export function rpcHandlerOptions(): StandardRPCHandlerOptions<CallContext> {
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
