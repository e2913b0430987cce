import type { ChannelClock } from "@patchbay/plugin-sdk/channel";
import { SignalApi } from "./api.ts";
import { bridgeSchema } from "./wire.ts";

/** Where a server on this computer usually listens. The manifest names the same, so that nobody is asked for leave. */
export const nearby = [8080, 8081, 8088].map((port) => `http://127.0.0.1:${port}`);

/** Milliseconds that a server on this computer may take to say what it is. */
const LOOK_MS = 3_000;

/** A signal-cli-rest-api that answers. */
export interface FoundServer {
  server: string;
  version: string;
  mode: string;
  /** Numbers that it is linked with. */
  accounts: string[];
}

/** Which of these addresses belong to a signal-cli-rest-api, by what it says of itself. Never rejects. */
export async function findServers(addresses: readonly string[], clock: ChannelClock): Promise<FoundServer[]> {
  const found = await Promise.all(addresses.map((server) => look(server, clock).catch(() => null)));
  return found.filter((one) => one !== null);
}

async function look(server: string, clock: ChannelClock): Promise<FoundServer> {
  const api = new SignalApi(server, clock, LOOK_MS);
  const { mode, version } = bridgeSchema.parse(await api.about());
  return { server, mode, version: version ?? "", accounts: await api.accounts() };
}
