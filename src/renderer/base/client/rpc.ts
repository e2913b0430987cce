import { type ClientLink, createORPCClient } from "@orpc/client";
import type { ContractRouterClient } from "@orpc/contract";
import type { Contract } from "../../../contract/contract.ts";
import { isConfirmed } from "./confirmation.ts";
import type { OpenLink } from "./link.ts";

export type Rpc = ContractRouterClient<Contract>;

let current: OpenLink | null = null;
/** Resolves when the first connection is open, or is known to have failed. */
const known = Promise.withResolvers<void>();

/** Sends every following call over `link`; null while there is no connection. */
export function routeThrough(link: OpenLink | null): void {
  current = link;
  known.resolve();
}

/** Raised by calls that are made while there is no connection to the core. */
export class DisconnectedError extends Error {
  constructor() {
    super("not connected");
    this.name = "DisconnectedError";
  }
}

const relay: ClientLink<Record<never, never>> = {
  async call(path, input, options) {
    // Calls of the first drawing wait for the connection that is being opened.
    if (!current) await known.promise;
    if (!current) throw new DisconnectedError();
    try {
      return await current.link.call(path, input, options);
    } catch (error) {
      if (!(await isConfirmed(error)) || !current) throw error;
      return current.link.call(path, input, options);
    }
  },
};

/** The client of the core. It is one object for the life of the page; the connection under it changes. */
export const rpc: Rpc = createORPCClient(relay);
