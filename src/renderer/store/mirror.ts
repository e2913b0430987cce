import { create } from "zustand";
import type { AgentPluginState } from "../../contract/agent-plugin.ts";
import type { Snapshot } from "../../contract/app.ts";
import type { AppChange, CollectionKeys, collections, values } from "../../contract/collections.ts";
import { itemId } from "../../contract/item-id.ts";
import { problemInWords } from "../../contract/shown/in-words.ts";
import type { ShownProblem } from "../base/client/problem.ts";
import { sayOf } from "../base/i18n/plugin-words.ts";
import { applied, type Collected, collect, nothingCollected } from "./collected.ts";
import { allSpoken, changesSpoken } from "./spoken.ts";

/**
 * For each collection of the contract the fields of its key, and the names of its values. The build writes them in,
 * because the record itself has zod schemas, and no screen should load zod for them.
 */
declare const __COLLECTION_KEYS__: CollectionKeys<typeof collections>;
declare const __VALUE_NAMES__: readonly (keyof typeof values)[];

/** `silent`: the connection is open, but the core does not answer. */
export type ConnectionState = "connecting" | "live" | "silent" | "lost" | "refused";

/** Whether calls reach the core, though perhaps late. */
export function isConnected({ connection }: Pick<Mirror, "connection">): boolean {
  return connection === "live" || connection === "silent";
}

type Everything = Collected<typeof collections, typeof values>;

/** What the core last said, and whether it can still be trusted to be current. */
export interface Mirror extends Everything {
  connection: ConnectionState;
  /**
   * When the core was last heard before it fell silent or was lost, milliseconds since 1970; null while it is
   * connected.
   */
  lostAt: number | null;
  ready: boolean;
  info: Snapshot["info"] | null;
}

export const useMirror = create<Mirror>()(() => ({
  connection: "connecting",
  lostAt: null,
  ready: false,
  info: null,
  ...nothingCollected<typeof collections, typeof values>(__COLLECTION_KEYS__, __VALUE_NAMES__),
}));

export function rowId(agentId: string, key: string): string {
  return itemId(agentId, key);
}

/** Shows the row that a call returned, without waiting for the event stream to announce it. */
export function putRow(item: AgentPluginState): void {
  applyChanges([{ type: "put", collection: "agentPlugins", item }]);
}

export function showSnapshot(snapshot: Snapshot): void {
  const all = collect<typeof collections, typeof values>(__COLLECTION_KEYS__, __VALUE_NAMES__, snapshot);
  useMirror.setState({ ready: true, info: snapshot.info, ...all, ...allSpoken(all) });
}

/** Says anew what plugins say, when the language of the screens has changed. */
export function sayAnew(): void {
  useMirror.setState((state) => allSpoken(state));
}

/** A failure of a call in which a plugin may have spoken, in the language of the screens. */
export function saidBy(pluginKey: string, problem: ShownProblem): ShownProblem {
  return problemInWords(problem, sayOf(useMirror.getState().plugins.get(pluginKey)?.declaration.words));
}

/** Applies a batch of changes as one new state, so that a screen is drawn once for the whole batch. */
export function applyChanges(changes: readonly AppChange[]): void {
  if (changes.length === 0) return;
  useMirror.setState((state) =>
    applied<typeof collections, typeof values>(__COLLECTION_KEYS__, state, changesSpoken(state, changes)),
  );
}
