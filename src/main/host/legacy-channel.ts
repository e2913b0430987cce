import type { ChannelHandle, PluginChannelContext, PluginContext } from "@patchbay/plugin-sdk";
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

interface CredentialStore {
  get(profile: string, key: string): Promise<string | undefined>;
  list(profile: string): Promise<Record<string, string>>;
  set(profile: string, key: string, value: string): Promise<void>;
  delete(profile: string, key: string): Promise<void>;
  replace(profile: string, values: Record<string, string>): Promise<void>;
  clear(profile: string): Promise<void>;
}

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
      start: (config: unknown, ctx: PluginChannelContext) =>
        legacy.start(parse(legacy, config), legacyContext(legacy.key, ctx)),
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

function legacyContext(key: string, ctx: PluginChannelContext): LegacyContext {
  return {
    agentBaseUrl: ctx.agentBaseUrl,
    publicAgentBaseUrl: ctx.publicAgentBaseUrl,
    agentTokens: { [key]: Object.values(ctx.agentTokens)[0] ?? "" },
    logger: (channel, message) =>
      ctx.logger(
        message === undefined ? String(channel) : channel === key ? message : `${channel}: ${message}`,
      ),
    reportRuntimeError: (message) => ctx.reportRuntimeError(message),
    credentialStore: credentialStore(ctx.storage),
  };
}

/** Profiles of named values, kept in the plugin's own storage: one entry a profile. */
function credentialStore(storage: PluginContext["storage"]): CredentialStore {
  const entry = (profile: string) => `credentials/${profile}`;
  const read = async (profile: string): Promise<Record<string, string>> => {
    const stored = await storage.get(entry(profile));
    return typeof stored === "object" && stored !== null ? { ...(stored as Record<string, string>) } : {};
  };
  return {
    get: async (profile, key) => (await read(profile))[key],
    list: read,
    set: async (profile, key, value) =>
      storage.set(entry(profile), { ...(await read(profile)), [key]: value }),
    delete: async (profile, key) => {
      const { [key]: _gone, ...rest } = await read(profile);
      await storage.set(entry(profile), rest);
    },
    replace: (profile, values) => storage.set(entry(profile), values),
    clear: (profile) => storage.delete(entry(profile)),
  };
}
