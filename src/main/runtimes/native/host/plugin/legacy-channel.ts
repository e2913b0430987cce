import type {
  ChannelHandle,
  ChannelSetup,
  ChannelSetupContext,
  CredentialStore,
  PluginChannelContext,
} from "@patchbay/plugin-sdk";
import { ownersField } from "../../manifest/legacy-channel-settings.ts";

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

/**
 * The same plugin as a `PluginManifest` with one channel. Its `parseConfig` sees the flat object with `enabled: true`, at a
 * start and when a setup is checked.
 */
export function wrapLegacyChannel(legacy: LegacyManifest): Record<string, unknown> {
  return {
    manifestVersion: legacy.manifestVersion,
    key: legacy.key,
    displayName: legacy.displayName,
    description: `${legacy.displayName} channel`,
    parseConfig: async (config: unknown) => ({ channel: await parse(legacy, config) }),
    channel: {
      start: async (config: unknown, ctx: LegacyHostContext) =>
        wrapHandle(await legacy.start(config, legacyContext(legacy.key, ctx))),
      ...(isSetup(legacy.setup) && { setup: wrapSetup(legacy.setup) }),
    },
  };
}

async function parse(legacy: LegacyManifest, config: unknown): Promise<unknown> {
  const { [ownersField]: _ours, ...own } = channelPart(config);
  const flat = { ...own, enabled: true };
  return typeof legacy.parseConfig === "function" ? legacy.parseConfig(flat) : flat;
}

/** Settings come in the wrapper `{channel}`; a setup that is checked may give them flat. */
function channelPart(config: unknown): Record<string, unknown> {
  if (typeof config !== "object" || config === null) return {};
  const { channel } = config as { channel?: unknown };
  const isWrapped = Object.keys(config).every((key) => key === "channel");
  return { ...((isWrapped ? channel : config) as Record<string, unknown> | undefined) };
}

function legacyContext(key: string, ctx: LegacyHostContext): LegacyContext {
  return {
    agentBaseUrl: ctx.agentBaseUrl,
    publicAgentBaseUrl: ctx.publicAgentBaseUrl || ctx.agentBaseUrl,
    agentTokens: { [key]: Object.values(ctx.agentTokens)[0] ?? "" },
    logger: (channel, message) =>
      ctx.logger(
        message === undefined ? String(channel) : channel === key ? message : `${channel}: ${message}`,
      ),
    reportRuntimeError: (message) => ctx.reportRuntimeError(message),
    credentialStore: ctx.credentialStore,
  };
}

/** Undefined stays undefined: the channel is not set up yet. Bodies of webhooks were text for these packages. */
function wrapHandle(handle: ChannelHandle | undefined): ChannelHandle | undefined {
  if (handle === undefined || handle === null) return undefined;
  const { handleWebhook } = handle;
  return {
    name: handle.name,
    ...(handle.outbound && { outbound: handle.outbound }),
    stop: async () => handle.stop?.(),
    ...(typeof handleWebhook === "function" && {
      handleWebhook: ({ headers, rawBody }) =>
        handleWebhook.call(handle, {
          headers,
          rawBody: typeof rawBody === "string" ? rawBody : new TextDecoder().decode(rawBody),
        }),
    }),
  };
}

function isSetup(setup: unknown): setup is ChannelSetup {
  return typeof setup === "object" && setup !== null;
}

/** The same setup with exactly the context that it was written for. */
function wrapSetup(setup: ChannelSetup): ChannelSetup {
  const own = ({ agentId, logger, credentialStore }: ChannelSetupContext): ChannelSetupContext => ({
    agentId,
    logger,
    ...(credentialStore && { credentialStore }),
  });
  const { submit, cancel } = setup;
  return {
    begin: (input, ctx) => setup.begin(input, own(ctx)),
    poll: (sessionId, ctx) => setup.poll(sessionId, own(ctx)),
    ...(submit && {
      submit: (sessionId: string, input: Record<string, unknown>, ctx: ChannelSetupContext) =>
        submit.call(setup, sessionId, input, own(ctx)),
    }),
    ...(cancel && {
      cancel: (sessionId: string, ctx: ChannelSetupContext) => cancel.call(setup, sessionId, own(ctx)),
    }),
  };
}
