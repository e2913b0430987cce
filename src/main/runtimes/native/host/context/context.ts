import type {
  CredentialStore,
  HookContext,
  PluginAsk,
  PluginChannelContext,
  PluginContext,
  PluginLogger,
  PluginStorage,
  SecretsView,
} from "@patchbay/plugin-sdk";
import type { DialogQuestion, LogLevel } from "../../../../../contract/index.ts";
import type { HostPort } from "../../../hosted/node/port.ts";
import { currentCall, type Requests } from "../../../hosted/node/requests.ts";
import { type HostStart, MAX_LOG_TEXT } from "../protocol.ts";
import { createChannelAgent, type Followed } from "./channel-agent.ts";
import { createCredentialStore } from "./credentials.ts";
import type { Hooks } from "./hooks.ts";
import type { Reports } from "./reports.ts";

export interface ContextParts extends Followed {
  start: HostStart;
  pluginKey: string;
  port: HostPort;
  requests: Requests;
  reports: Reports;
  hooks: Hooks;
  signal: AbortSignal;
}

type ChannelPart = Omit<PluginChannelContext, keyof PluginContext>;

/** The context of a plugin that is no channel. */
export type HostContext = HookContext & { credentialStore: CredentialStore } & Partial<ChannelPart>;
/** That of a plugin with a channel. */
export type HostChannelContext = HostContext & PluginChannelContext;

/**
 * The context that is given to each `start`. All capabilities of a plugin get the same object, although the base contract
 * gives some of them less (hooks would have no `on` and could not subscribe). What a plugin may do is limited by its
 * manifest, not by the context; but what belongs to channels is there only when the plugin is one.
 */
export function createContext(parts: ContextParts): HostContext {
  const { start, pluginKey, requests, reports, hooks, signal } = parts;
  return {
    agentId: start.agentId,
    workspace: start.workspace,
    logger: createLogger(parts.port),
    secrets: createSecrets(start.secrets),
    reportRuntimeError: (message, options) => reports.error(message, options?.credentialsRefused === true),
    reportRuntimeState: (patch) => reports.state(patch),
    signal,
    storage: createStorage(requests),
    credentialStore: createCredentialStore(requests),
    oauth: {
      token: (refused) =>
        requests.send({
          kind: "oauth.token",
          ...(refused !== undefined && { refused: String(refused) }),
        }) as Promise<string>,
    },
    ask: createAsk(requests),
    on: (event, handler, options) => hooks.on(event, handler, options),
    ...(start.channel && {
      agentBaseUrl: start.channel.agentBaseUrl,
      publicAgentBaseUrl: start.channel.publicAgentBaseUrl,
      agentTokens: { [pluginKey]: start.channel.token },
      agent: createChannelAgent(requests, parts, signal),
    }),
  };
}

export function isForChannel(ctx: HostContext): ctx is HostChannelContext {
  return ctx.agent !== undefined;
}

export function createLogger(port: HostPort): PluginLogger {
  const at = (level: LogLevel) => (message: string) =>
    port.post({
      t: "log",
      level,
      text: String(message).slice(0, MAX_LOG_TEXT),
      during: currentCall.getStore() ?? null,
    });
  return Object.assign(at("info"), {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
  });
}

function createSecrets(values: Record<string, string>): SecretsView {
  const secrets = new Map(Object.entries(values));
  return {
    get: (name) => secrets.get(name),
    has: (name) => secrets.has(name),
    names: () => [...secrets.keys()],
  };
}

function createStorage(requests: Requests): PluginStorage {
  return {
    get: (key) => requests.send({ kind: "storage.get", key: String(key) }),
    set: async (key, value) => {
      await requests.send({ kind: "storage.set", key: String(key), value });
    },
    delete: async (key) => {
      await requests.send({ kind: "storage.delete", key: String(key) });
    },
  };
}

function createAsk(requests: Requests): PluginAsk {
  const ask = (question: DialogQuestion) => requests.send({ kind: "ask", question });
  return {
    confirm: (message, options) =>
      ask({ kind: "confirm", message, ...options }) as ReturnType<PluginAsk["confirm"]>,
    select: (message, options) =>
      ask({ kind: "select", message, ...options }) as ReturnType<PluginAsk["select"]>,
    multiSelect: (message, options) =>
      ask({ kind: "multi_select", message, ...options }) as ReturnType<PluginAsk["multiSelect"]>,
    text: (message, options) => ask({ kind: "text", message, ...options }) as ReturnType<PluginAsk["text"]>,
  };
}
