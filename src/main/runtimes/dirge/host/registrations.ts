import type { KeyBindingInfo, ProviderInfo, ShortcutInfo } from "../../../../contract/index.ts";
import type { Handler } from "./handler.ts";
import type { HostContributions } from "./protocol.ts";

interface Tool {
  name: string;
  label: string;
  description: string;
  parameters: Record<string, unknown>;
  handler: Handler;
  prepare: Handler | null;
}

/** What the plugin has registered. The last one of a name counts. */
export class Registrations {
  readonly tools = new Map<string, Tool>();
  readonly commands = new Map<string, Handler>();
  readonly shortcuts = new Map<string, ShortcutInfo & { handler: Handler }>();
  readonly keyBindings = new Map<string, KeyBindingInfo>();
  readonly providers = new Map<string, ProviderInfo>();
  readonly renderers = { entry: new Map<string, Handler>(), message: new Map<string, Handler>() };
  readonly #notes: string[] = [];
  /** Counts every change. */
  version = 0;

  changed(): void {
    this.version += 1;
  }

  /** Tells the person what of it is not as the plugin means it. */
  note(sentence: string): void {
    if (this.#notes.includes(sentence) || this.#notes.length >= MOST_NOTES) return;
    this.#notes.push(sentence);
    this.version += 1;
  }

  /** @param hooks the hooks that the plugin has functions for */
  contributions(hooks: readonly string[]): HostContributions {
    const { entry, message } = this.renderers;
    return {
      namespace: null,
      tools: [...this.tools.values()].map(({ handler: _, prepare, ...tool }) => ({
        ...tool,
        readOnly: false,
        prepares: prepare !== null,
      })),
      toolsets: [],
      hooks: hooks.map((hook) => ({
        id: hook,
        event: hook,
        priority: 100,
        timeoutMs: 30_000,
        failureMode: "skip",
      })),
      commands: [...this.commands.keys()].map((name) => ({ name, description: "" })),
      skills: [],
      channel: null,
      offers: {
        ...some(
          "shortcuts",
          [...this.shortcuts.values()].map(({ handler: _, ...info }) => info),
        ),
        ...some("keyBindings", [...this.keyBindings.values()]),
        ...some("renderers", [
          ...[...entry.keys()].map((type) => ({ of: "entry" as const, type })),
          ...[...message.keys()].map((type) => ({ of: "message" as const, type })),
        ]),
        ...some("providers", [...this.providers.values()]),
      },
      notes: [...this.#notes],
    };
  }
}

/** Most sentences that one plugin is worth. */
const MOST_NOTES = 50;

function some<Name extends string, Item>(name: Name, items: Item[]): { [N in Name]?: Item[] } {
  return items.length > 0 ? ({ [name]: items } as { [N in Name]: Item[] }) : {};
}
