import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type AgentPluginRow, agentPluginRowSchema, PatchbayError } from "../../contract/index.ts";
import type { Collection } from "../store/index.ts";

/** Names in the vault that a save writes, and those that it leaves behind; what nothing refers to when it is over goes. */
const pendingSchema = z.object({ written: z.array(z.string()), outdated: z.array(z.string()) });
export type PendingNames = z.infer<typeof pendingSchema>;

const storedRowSchema = agentPluginRowSchema.extend({ pending: pendingSchema.optional() });
export type StoredRow = z.infer<typeof storedRowSchema>;

/** Where rows are kept; `upgrade` brings one of version 1 to settings as plugin systems store them now. */
export function collection(upgrade: (old: unknown) => unknown): Collection<StoredRow> {
  return { name: "agent-plugins", schema: storedRowSchema, version: 2, migrations: { 1: upgrade } };
}

/** What a person changes. `revision`, when given, must be that of the row (0 when there is none yet). */
export interface AgentPluginPatch {
  enabled?: boolean;
  config?: Record<string, unknown>;
  setupState?: Record<string, unknown> | null;
  revision?: number;
}

/** The row with the patch in it; the same row when that changes nothing. @throws PatchbayError STALE_REVISION */
export function changed(key: string, current: StoredRow | undefined, patch: AgentPluginPatch): StoredRow {
  refuseStale(key, patch, current);
  const { revision: _, ...wanted } = patch;
  const base = current ?? newRow(key);
  const next: StoredRow = { ...base, ...defined(wanted) };
  if (current && isDeepStrictEqual(next, current)) return current;
  return { ...next, revision: base.revision + 1, updatedAt: new Date().toISOString() };
}

/** The row of a plugin that nobody has said anything of yet. */
export function newRow(pluginKey: string): AgentPluginRow {
  const now = new Date().toISOString();
  return {
    pluginKey,
    enabled: false,
    config: {},
    setupState: null,
    runtimeState: null,
    lastError: null,
    lastErrorAt: null,
    revision: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/** @throws PatchbayError STALE_REVISION with `details: {yours, current}` when somebody else has saved meanwhile */
export function refuseStale(key: string, patch: AgentPluginPatch, current: AgentPluginRow | undefined): void {
  if (patch.revision === undefined || patch.revision === (current?.revision ?? 0)) return;
  throw new PatchbayError(
    "STALE_REVISION",
    `The settings of ${key} were saved by somebody else in the meantime.`,
    { details: { yours: patch, current: current ?? null } },
  );
}

/** Without the fields that were not given. */
export function defined<P extends object>(patch: P): Partial<P> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<P>;
}
