import { type ClientLink, createORPCClient } from "@orpc/client";
import type { ContractRouterClient } from "@orpc/contract";
import type { Contract } from "../../../contract/contract.ts";
import type { OpenLink } from "./link.ts";

export type Rpc = ContractRouterClient<Contract>;

let current: OpenLink | null = null;

/** Makes `link` the way that every following call goes; null while there is none. */
export function routeThrough(link: OpenLink | null): void {
  current = link;
}

/** Raised by calls that are made while there is no connection to the core. */
export class DisconnectedError extends Error {
  constructor() {
    super("not connected");
    this.name = "DisconnectedError";
  }
}

const relay: ClientLink<Record<never, never>> = {
  call(path, input, options) {
    if (!current) return Promise.reject(new DisconnectedError());
    return current.link.call(path, input, options);
  },
};

/** The core, as this screen sees it. One object for the life of the page; connections change beneath it. */
export const rpc: Rpc = createORPCClient(relay);
