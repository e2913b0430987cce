import type { ChannelHandle, CredentialStore, PluginChannelContext } from "@patchbay/plugin-sdk";
import { HostError, messageOf } from "./host-error.ts";

/** The older channel package's manifest (specs: the `ChannelManifest` of the channel protocol, version 1). */
interface LegacyManifest extends Record<string, unknown> {
  key: string;
  namespace: string;
  displayName: string;
  start(config: unknown, ctx: LegacyContext): Promise<ChannelHandle | undefined>;
}

/** What those packages were written for: a logger with two arguments and HTTP access to the agent. */
interface LegacyContext {
  agentBaseUrl: string;
  publicAgentBaseUrl: string;
  agentTokens: Record<string, string>;
  logger(channel: string, message: string): void;
  reportRuntimeError(message: string | null): void;
  credentialStore: CredentialStore;
}

/** The context that this host gives, credentials included. */
type LegacyHostContext = PluginChannelContext & { credentialStore: CredentialStore };

/** The older loader's own test: it has a `start` itself and no capability object. */
export function isLegacyChannel(manifest: Record<string, unknown>): manifest is LegacyManifest {
  return (
    typeof manifest.start === "function" &&
    manifest.tools === undefined &&
    manifest.channel === undefined &&
    manifest.hooks === undefined &&
    ["key", "namespace", "displayName"].every((field) => typeof manifest[field] === "string")
  );
}

/** The same plugin as a `PluginManifest` with one channel. Its `parseConfig` sees the flat object with `enabled: true`. */
export function wrapLegacyChannel(legacy: LegacyManifest): Record<string, unknown> {
  return {
    manifestVersion: legacy.manifestVersion,
    key: legacy.key,
    displayName: legacy.displayName,
    description: `${legacy.displayName} channel`,
    channel: {
      start: (config: unknown, ctx: LegacyHostContext) =>
        legacy.start(parse(legacy, config), legacyContext(legacy.key, ctx)),
      ...(legacy.setup !== undefined && { setup: legacy.setup }),
    },
  };
}

function parse(legacy: LegacyManifest, config: unknown): unknown {
  const flat = { ...(typeof config === "object" ? config : {}), enabled: true };
  if (typeof legacy.parseConfig !== "function") return flat;
  try {
    return legacy.parseConfig(flat);
  } catch (error) {
    throw new HostError("CONFIG_REFUSED", `The plugin refused its settings: ${messageOf(error)}`);
  }
}

function legacyContext(key: string, ctx: LegacyHostContext): LegacyContext {
  return {
    agentBaseUrl: ctx.agentBaseUrl,
    publicAgentBaseUrl: ctx.publicAgentBaseUrl,
    agentTokens: { [key]: Object.values(ctx.agentTokens)[0] ?? "" },
    logger: (channel, message) =>
      ctx.logger(
        message === undefined ? String(channel) : channel === key ? message : `${channel}: ${message}`,
      ),
    reportRuntimeError: (message) => ctx.reportRuntimeError(message),
    credentialStore: ctx.credentialStore,
  };
}
