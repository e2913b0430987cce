import type {
  ChannelHandle,
  ChannelSetup,
  ChannelSetupContext,
  CredentialStore,
  PluginChannelContext,
} from "@patchbay/plugin-sdk";
import { HostError, messageOf } from "../../../hosted/node/host-error.ts";
import { ownersField } from "../../manifest/legacy-channel-settings.ts";

/** The older channel package's manifest (specs: the `ChannelManifest` of the channel protocol, version 1). */
interface LegacyManifest extends Record<string, unknown> {
  key: string;
  namespace: string;
  displayName: string;
  start(config: unknown, ctx: LegacyContext): Promise<ChannelHandle | undefined>;
}

/**
 * The context that older packages expect: a logger with two arguments, and addresses with which they call the agent
 * over HTTP.
 */
interface LegacyContext {
  agentBaseUrl: string;
  publicAgentBaseUrl: string;
  agentTokens: Record<string, string>;
  logger(channel: string, message: string): void;
  reportRuntimeError(message: string | null): void;
  credentialStore: CredentialStore;
}

/** The context that this host makes, with the credential store. */
type LegacyHostContext = PluginChannelContext & { credentialStore: CredentialStore };

/**
 * Whether a manifest is of the older form: it has a `start` itself and no capability object. The older loader tested
 * the same.
 */
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
 * The same plugin as a `PluginManifest` with one channel. At a start and when a setup is checked, its `parseConfig`
 * gets the flat object with `enabled: true`.
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
        wrapHandle(await askingForSetup(legacy, () => legacy.start(config, legacyContext(legacy.key, ctx)))),
      ...(isSetup(legacy.setup) && { setup: wrapSetup(legacy.setup) }),
    },
  };
}

async function parse(legacy: LegacyManifest, config: unknown): Promise<unknown> {
  const { [ownersField]: _ours, ...own } = channelPart(config);
  const flat = { ...own, enabled: true };
  if (typeof legacy.parseConfig !== "function") return flat;
  const parseConfig = legacy.parseConfig.bind(legacy) as (input: unknown) => unknown;
  return askingForSetup(legacy, () => parseConfig(flat));
}

/** How packages with a setup say that it has to be gone through: "run channel setup first", "is not linked yet". */
const asksForSetup = [
  /\b(?:run|rerun|re-run|finish|complete|go through)\b.{0,60}\bset-?up\b/i,
  /\bset-?up\b.{0,30}\b(?:first|again|required|needed|is not (?:done|finished|complete))\b/i,
  /\bnot (?:yet )?(?:been )?(?:set up|linked|paired)\b/i,
];

/**
 * Runs a part of a package that has a setup. Older packages have no other way to say that the setup comes first than to
 * throw; the person then reads "needs setup" with the package's own words.
 *
 * @throws HostError NEEDS_SETUP, or what the package throws
 */
async function askingForSetup<T>(legacy: LegacyManifest, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = messageOf(error);
    if (!isSetup(legacy.setup) || !asksForSetup.some((words) => words.test(message))) throw error;
    throw new HostError("NEEDS_SETUP", message.slice(0, 4_000));
  }
}

/** The channel's settings. They usually come in the wrapper `{channel}`, but flat when a setup is checked. */
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

/**
 * Adapts the handle that a package returned. Undefined stays undefined: the channel is not set up yet. Older packages
 * expect the body of a webhook as text, not as bytes.
 */
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

/** The same setup, called with exactly the fields of the context that older packages know. */
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
