import { randomBytes } from "node:crypto";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import { createRouterClient } from "@orpc/server";
import { callerHeader, type GatewayFile, gatewayPaths, PatchbayError } from "../contract/index.ts";
import { callerHere } from "../main/authority/callers.ts";
import { nodePlatform } from "../main/platform/node-platform.ts";
import type { StoreAddress } from "../main/platform/platform.ts";
import { whereIs } from "../main/store/address.ts";
import { confirming, type PersonHere, provedHere } from "./confirm.ts";
import type { Client, Connection, ConnectOptions } from "./context.ts";

/** How long a command waits until another short command releases the store, milliseconds. */
const patienceMs = 20_000;

/**
 * Connects to the running app, or opens the core in this process under the lease when none runs.
 * @throws PatchbayError HOME_IN_USE when the folder stays locked by a process that does not answer
 */
export async function connect(
  store: StoreAddress,
  person: PersonHere,
  { firstAgent = true }: ConnectOptions = {},
): Promise<Connection> {
  const found = await startOrFind(store, async () => {
    const { createApp } = await import("../main/app/create-app.ts");
    return createApp(nodePlatform({ shell: "cli", store }), { firstAgent });
  });
  if ("running" in found) return remote(found.running, store, person);
  const app = found.own;
  const context = { caller: callerHere(provedHere(person)) };
  return { client: createRouterClient(app.router, { context }), alone: true, close: () => app.close() };
}

/**
 * Runs `own`, which takes the lock of the folder, unless a running app owns it. While another short command holds the
 * lock, tries again every 50 ms.
 * @throws PatchbayError HOME_IN_USE after 20 seconds, and what `own` throws
 */
export async function startOrFind<T>(
  store: StoreAddress,
  own: () => Promise<T>,
): Promise<{ own: T } | { running: GatewayFile }> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const running = await runningApp(store);
    if (running) return { running };
    try {
      return { own: await own() };
    } catch (error) {
      const locked = error instanceof PatchbayError && error.code === "HOME_IN_USE";
      if (!locked || Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * The app that owns the store, if it answers. A crash can leave behind what it said of itself, so that alone proves
 * nothing.
 */
async function runningApp(store: StoreAddress): Promise<GatewayFile | undefined> {
  const gateway = whereIs(store);
  if (!gateway) return undefined;
  try {
    const answer = await fetch(`${gateway.url}${gatewayPaths.rest}/app`, {
      headers: { authorization: `Bearer ${gateway.token}` },
      signal: AbortSignal.timeout(5_000),
    });
    return answer.ok ? gateway : undefined;
  } catch {
    return undefined;
  }
}

/** The name of this command at the running app; what the person confirms holds for it alone. */
const ownName = randomBytes(24).toString("base64url");

function remote(gateway: GatewayFile, store: StoreAddress, person: PersonHere): Connection {
  const link = new RPCLink({
    url: `${gateway.url}${gatewayPaths.rpc}`,
    // Read anew for each call: the token is replaced while a long command runs.
    headers: () => ({
      authorization: `Bearer ${(whereIs(store) ?? gateway).token}`,
      [callerHeader]: ownName,
    }),
  });
  const bare: Client = createORPCClient(link);
  const client: Client = createORPCClient(confirming(link, bare, person));
  return { client, alone: false, close: async () => {} };
}
