import type {
  ChannelHandle,
  ChannelSetup,
  CommandCapability,
  HookCapabilityHandle,
  HookContext,
  PluginChannelContext,
  PluginCommand,
  PluginContext,
  ToolCapabilityHandle,
} from "@patchbay/plugin-sdk";
import { isObject } from "../../../../../contract/is-object.ts";
import { HostError } from "../../../hosted/node/host-error.ts";
import { isLegacyChannel, wrapLegacyChannel } from "./legacy-channel.ts";

/**
 * A manifest in the form that the host needs. Its declarations were checked at the inspection; here only the functions
 * that are called are checked.
 */
export interface LoadedPlugin {
  /** Folder of its package. */
  dir: string;
  key: string;
  parseConfig: ((input: unknown) => unknown) | undefined;
  tools: { namespace: string; start: Start<PluginContext, ToolCapabilityHandle | undefined> } | undefined;
  hooks: { events: string[]; start: Start<HookContext, HookCapabilityHandle | undefined> } | undefined;
  channel: { start: Start<PluginChannelContext, ChannelHandle | undefined> } | undefined;
  /** The setup of the channel, or else that of the manifest itself. */
  setup: ChannelSetup | undefined;
  commands: PluginCommand[] | CommandCapability | undefined;
  skills: { name: string; description: string; path: string }[];
}

type Start<Context, Handle> = (config: unknown, ctx: Context) => Promise<Handle>;

/** @throws HostError NOT_A_PLUGIN or MANIFEST_INVALID when the export is not what was inspected */
export function readManifest(module: { default?: unknown }, dir: string): LoadedPlugin {
  const manifest = unwrapCommonJs(module.default);
  if (!isObject(manifest)) {
    throw new HostError("NOT_A_PLUGIN", "The package's default export is not a plugin manifest.");
  }
  const modern = isLegacyChannel(manifest) ? wrapLegacyChannel(manifest) : manifest;
  const { key, parseConfig, tools, hooks, channel, commands, skills } = modern;
  if (modern.manifestVersion !== 1 || typeof key !== "string") {
    throw new HostError("MANIFEST_INVALID", "The default export has no `manifestVersion: 1` or no `key`.");
  }
  return {
    dir,
    key,
    parseConfig: typeof parseConfig === "function" ? (input) => parseConfig.call(modern, input) : undefined,
    tools: withStart(tools, "tools") as LoadedPlugin["tools"],
    hooks: withStart(hooks, "hooks") as LoadedPlugin["hooks"],
    channel: withStart(channel, "channel") as LoadedPlugin["channel"],
    setup: readSetup(isObject(channel) ? channel.setup : undefined) ?? readSetup(modern.setup),
    commands: commands as LoadedPlugin["commands"],
    skills: Array.isArray(skills) ? (skills as LoadedPlugin["skills"]) : [],
  };
}

/** Whether a value is a promise, or an object with a `then` method that plugin code made. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function readSetup(setup: unknown): ChannelSetup | undefined {
  if (setup === undefined || setup === null) return undefined;
  if (isObject(setup) && typeof setup.begin === "function" && typeof setup.poll === "function") {
    return setup as unknown as ChannelSetup;
  }
  throw new HostError("MANIFEST_INVALID", "`setup` has no `begin` or no `poll` function.");
}

function withStart(capability: unknown, name: string): unknown {
  if (capability === undefined || capability === null) return undefined;
  if (isObject(capability) && typeof capability.start === "function") return capability;
  throw new HostError("MANIFEST_INVALID", `\`${name}\` has no \`start\` function.`);
}

/** TypeScript compiled to CommonJS puts the default export one level deeper. */
export function unwrapCommonJs(value: unknown): unknown {
  return isObject(value) && value.__esModule === true && "default" in value ? value.default : value;
}
