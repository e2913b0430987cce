import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import { createRouterClient } from "@orpc/server";
import { type GatewayFile, gatewayPaths, PatchbayError } from "../contract/index.ts";
import { nodePlatform } from "../main/platform/node-platform.ts";
import type { StoreAddress } from "../main/platform/platform.ts";
import { whereIs } from "../main/store/address.ts";
import type { Client, Connection } from "./context.ts";

/** How long a command waits for another short command to let go of the store. */
const patienceMs = 20_000;

/**
 * The running app when there is one, else the core in this process, under the lock.
 * @throws PatchbayError HOME_IN_USE when the folder stays locked by a process that cannot be talked to
 */
export async function connect(store: StoreAddress): Promise<Connection> {
  const found = await startOrFind(store, async () => {
    const { createApp } = await import("../main/app/create-app.ts");
    return createApp(nodePlatform({ shell: "cli", store }));
  });
  if ("running" in found) return remote(found.running);
  const app = found.own;
  return { client: createRouterClient(app.router), alone: true, close: () => app.close() };
}

/**
 * Owns the folder, or finds the running app that does. While another short command holds it, waits for its turn.
 * @throws PatchbayError HOME_IN_USE after 20 seconds
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

/** The app that owns the folder, if it answers. A file left behind by a crash is not believed. */
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

function remote(gateway: GatewayFile): Connection {
  const link = new RPCLink({
    url: `${gateway.url}${gatewayPaths.rpc}`,
    headers: { authorization: `Bearer ${gateway.token}` },
  });
  const client: Client = createORPCClient(link);
  return { client, alone: false, close: async () => {} };
}
