import { z } from "zod";
import { agentViewSchema, approvalSchema, noticeSchema } from "./agent.ts";
import { agentPluginStateSchema } from "./agent-plugin.ts";
import { dialogSchema } from "./dialogs/dialog.ts";
import { mcpListSchema } from "./found/mcp-list.ts";
import { holdsSchema } from "./holds.ts";
import { jobSchema } from "./job.ts";
import { wallReportSchema } from "./permissions/view.ts";
import { pluginViewSchema } from "./plugin.ts";
import { removedSchema } from "./removed/removed.ts";
import { settingsSchema } from "./settings.ts";
import { setupViewSchema } from "./setup.ts";
import { sessionSchema } from "./turn.ts";
import { vaultStatusSchema } from "./vault.ts";

/**
 * Everything that the core announces and every screen mirrors, one line each. The changes on the wire, the snapshot,
 * the announcer (`main/views/announcer.ts`) and the renderer's mirror (`renderer/store/mirror.ts`) follow from this
 * record. A new line here costs one more: where the core reads it, in `main/views/entities.ts` or, for a value, in
 * `main/views/values.ts`. The types demand it. When to announce it is said in `main/app/announce-changes.ts`.
 */
export const collections = {
  agents: collection(agentViewSchema, "id"),
  plugins: collection(pluginViewSchema, "manifestKey"),
  agentPlugins: collection(agentPluginStateSchema, "agentId", "pluginKey"),
  jobs: collection(jobSchema, "id"),
  approvals: collection(approvalSchema, "id"),
  dialogs: collection(dialogSchema, "id"),
  notices: collection(noticeSchema, "id"),
  /** The setup wizards that are open. */
  setups: collection(setupViewSchema, "agentId", "pluginKey"),
  sessions: collection(sessionSchema, "id"),
  /** What was removed and is kept. */
  removed: collection(removedSchema, "id"),
};

/** Values that exist once and have no key. They are announced and mirrored in the same way. */
export const values = {
  settings: settingsSchema,
  /** Safe mode and searches, which stop plugins that are switched on. */
  holds: holdsSchema,
  vault: vaultStatusSchema,
  /** What holds plugins on this machine. */
  walls: wallReportSchema,
  /** How far the list of the MCP Registry is known. */
  mcpList: mcpListSchema,
};

export interface Collection<S extends z.ZodType> {
  schema: S;
  /** The fields that together identify an item. */
  key: readonly string[];
}
export type CollectionRecord = Record<string, Collection<z.ZodType>>;
export type ValueRecord = Record<string, z.ZodType>;

export type ItemOf<C extends CollectionRecord, N extends keyof C> = z.infer<C[N]["schema"]>;
export type ValueOf<V extends ValueRecord, N extends keyof V> = z.infer<V[N]>;
export type CollectionName = keyof typeof collections;
export type Item<N extends CollectionName> = ItemOf<typeof collections, N>;
export type ValueName = keyof typeof values;
export type Value<N extends ValueName> = ValueOf<typeof values, N>;

/** An item was added or changed. `item` is always the whole new item, never a part of it. */
export type PutOf<C extends CollectionRecord> = {
  [N in keyof C]: { type: "put"; collection: N; item: ItemOf<C, N> };
}[keyof C];
/** An item is no longer there. `id`: the fields of its key, see `item-id.ts`. */
export interface DropOf<C extends CollectionRecord> {
  type: "drop";
  collection: keyof C;
  id: string;
}
export type SetOf<V extends ValueRecord> = {
  [N in keyof V]: { type: "set"; value: N; now: ValueOf<V, N> };
}[keyof V];
export type ChangeOf<C extends CollectionRecord, V extends ValueRecord> = PutOf<C> | DropOf<C> | SetOf<V>;

/** One change of what a screen shows. */
export type AppChange = ChangeOf<typeof collections, typeof values>;

/** For each collection the fields that together identify an item. A mirror needs to know nothing else of it. */
export type CollectionKeys<C extends CollectionRecord> = { [N in keyof C]: readonly string[] };

export function keysOf<C extends CollectionRecord>(record: C): CollectionKeys<C> {
  const keys = Object.entries(record).map(([name, { key }]) => [name, key]);
  return Object.fromEntries(keys) as CollectionKeys<C>;
}

/** The schema of a change of one of these collections or values. */
export function changeSchemaOf<C extends CollectionRecord, V extends ValueRecord>(
  record: C,
  single: V,
): z.ZodType<ChangeOf<C, V>> {
  const names = Object.keys(record) as [string, ...string[]];
  const puts = Object.entries(record).map(([name, { schema }]) =>
    z.object({ type: z.literal("put"), collection: z.literal(name), item: schema }),
  );
  const drop = z.object({ type: z.literal("drop"), collection: z.enum(names), id: z.string() });
  const sets = Object.entries(single).map(([name, schema]) =>
    z.object({ type: z.literal("set"), value: z.literal(name), now: schema }),
  );
  const schema = z.discriminatedUnion("type", [
    z.discriminatedUnion("collection", atLeastOne(puts)),
    drop,
    z.discriminatedUnion("value", atLeastOne(sets)),
  ]);
  // `Object.entries` loses which schema belongs to which name, so the type is stated again here.
  return schema as unknown as z.ZodType<ChangeOf<C, V>>;
}

/** The part of a snapshot for these: a list of items for each collection, and each value. */
export function snapshotShapeOf<C extends CollectionRecord, V extends ValueRecord>(
  record: C,
  single: V,
): { [N in keyof C]: z.ZodArray<C[N]["schema"]> } & V {
  const lists = Object.entries(record).map(([name, { schema }]) => [name, z.array(schema)]);
  return { ...(Object.fromEntries(lists) as { [N in keyof C]: z.ZodArray<C[N]["schema"]> }), ...single };
}

export function collection<S extends z.ZodType>(
  schema: S,
  ...key: (keyof z.infer<S> & string)[]
): Collection<S> {
  return { schema, key };
}

function atLeastOne<T>(list: T[]): [T, ...T[]] {
  const [first, ...rest] = list;
  if (first === undefined) throw new Error("There is nothing to announce.");
  return [first, ...rest];
}
