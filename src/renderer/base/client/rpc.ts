import { type ClientLink, createORPCClient } from "@orpc/client";
import type { ContractRouterClient } from "@orpc/contract";
import type { Contract } from "../../../contract/contract.ts";
import type { OpenLink } from "./link.ts";

export type Rpc = ContractRouterClient<Contract>;

let current: OpenLink | null = null;
/** Resolves when it is known for the first time whether there is a way to the core. */
const known = Promise.withResolvers<void>();

/** Makes `link` the way that every following call goes; null while there is none. */
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
    // What is asked by the very first drawing waits for the way that is being opened.
    if (!current) await known.promise;
    if (!current) throw new DisconnectedError();
    return current.link.call(path, input, options);
  },
};

/** The core, as this screen sees it. One object for the life of the page; connections change beneath it. */
export const rpc: Rpc = createORPCClient(relay);
