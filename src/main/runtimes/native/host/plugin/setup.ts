import type { ChannelSetup, ChannelSetupContext } from "@patchbay/plugin-sdk";
import { isObject } from "../../../../../contract/is-object.ts";
import { HostError } from "../../../hosted/node/host-error.ts";
import type { HostPort } from "../../../hosted/node/port.ts";
import type { Requests } from "../../../hosted/node/requests.ts";
import { createLogger } from "../context/context.ts";
import { createCredentialStore } from "../context/credentials.ts";
import type { HostSetup, HostSetupCall } from "../protocol.ts";
import { parseConfig } from "./config.ts";
import { loadEntry } from "./load-entry.ts";
import { type LoadedPlugin, readManifest } from "./manifest.ts";

/** A plugin's own setup, opened in this process. Its capabilities are not started. */
export interface OpenedSetup {
  readonly submits: boolean;
  run(call: HostSetupCall, signal: AbortSignal): Promise<unknown>;
}

/** @throws HostError NOT_A_PLUGIN, MANIFEST_INVALID, START_FAILED when the module cannot be loaded */
export async function openSetup(
  request: HostSetup,
  parts: { port: HostPort; requests: Requests },
): Promise<OpenedSetup> {
  const plugin = readManifest(await loadEntry(request.dir, "START_FAILED"), request.dir);
  const { setup } = plugin;
  const logger = createLogger(parts.port);
  const context = (signal: AbortSignal): ChannelSetupContext => ({
    agentId: request.agentId,
    logger: (message) => logger(message),
    credentialStore: createCredentialStore(parts.requests),
    reason: request.reason,
    ...(request.language !== undefined && { language: request.language }),
    signal,
  });
  return {
    submits: typeof setup?.submit === "function",
    run: (call, signal) => runSetup(plugin, setup, call, context(signal), request.flatConfig),
  };
}

async function runSetup(
  plugin: LoadedPlugin,
  setup: ChannelSetup | undefined,
  call: HostSetupCall,
  ctx: ChannelSetupContext,
  flatConfig: boolean,
): Promise<unknown> {
  if (call.kind === "setup.check") {
    await parseConfig(plugin, call.config, flatConfig);
    return null;
  }
  if (!setup) throw new HostError("NOT_FOUND", "The plugin has no setup of its own.");
  switch (call.kind) {
    case "setup.begin": {
      const begun: unknown = await setup.begin(call.input, ctx);
      if (!isObject(begun)) throw new HostError("SETUP_INVALID", "`setup.begin` returned no session.");
      return { sessionId: begun.sessionId, state: begun.state };
    }
    case "setup.poll":
      return setup.poll(call.sessionId, ctx);
    case "setup.submit":
      if (!setup.submit) throw new HostError("SETUP_INVALID", "The plugin asks, but takes no answers.");
      return setup.submit(call.sessionId, call.input, ctx);
    case "setup.cancel":
      await setup.cancel?.(call.sessionId, ctx);
      return null;
  }
}
