import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import { createRouterClient } from "@orpc/server";
import { type GatewayFile, gatewayPaths, PatchbayError } from "../contract/index.ts";
import { nodePlatform } from "../main/platform/node-platform.ts";
import type { StoreAddress } from "../main/platform/platform.ts";
import { whereIs } from "../main/store/address.ts";
import type { Client, Connection } from "./context.ts";

/** How long a command waits until another short command releases the store, milliseconds. */
const patienceMs = 20_000;

/**
 * Connects to the running app, or opens the core in this process under the lease when none runs.
 * @throws PatchbayError HOME_IN_USE when the folder stays locked by a process that does not answer
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

function remote(gateway: GatewayFile): Connection {
  const link = new RPCLink({
    url: `${gateway.url}${gatewayPaths.rpc}`,
    headers: { authorization: `Bearer ${gateway.token}` },
  });
  const client: Client = createORPCClient(link);
  return { client, alone: false, close: async () => {} };
}
