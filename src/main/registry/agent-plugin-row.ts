import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import {
  type AgentPluginRow,
  agentPluginRowSchema,
  type Grants,
  PatchbayError,
  type Problem,
  type ToolSwitches,
  type WorkingSettings,
} from "../../contract/index.ts";
import type { Collection, Guard } from "../store/index.ts";

/**
 * What an unfinished save has to clean up: the names in the vault that it writes (`written`), and those that its new
 * settings no longer use (`outdated`). When the save is over, each of these that no settings refer to is removed.
 */
const pendingSchema = z.object({ written: z.array(z.string()), outdated: z.array(z.string()) });
export type PendingNames = z.infer<typeof pendingSchema>;

const storedRowSchema = agentPluginRowSchema.extend({ pending: pendingSchema.optional() });
export type StoredRow = z.infer<typeof storedRowSchema>;

/** Describes the collection that the rows are stored in. `upgrade` turns a row of version 1 into today's form. */
export function collection(
  upgrade: (old: unknown) => unknown,
  guard: Pick<Guard<StoredRow>, "signer" | "onSetAside"> | undefined,
): Collection<StoredRow> {
  return {
    name: "agent-plugins",
    schema: storedRowSchema,
    version: 2,
    migrations: { 1: upgrade },
    ...(guard && { guard: { ...guard, volatile: reported, restored: switchedOff } }),
  };
}

/** What a running plugin reports, and the notes of a save: written often, and nothing is allowed by it. */
const reported: (keyof StoredRow)[] = ["runtimeState", "lastError", "lastErrorAt", "pending"];

/** A genuine row in the place of one that somebody else changed: its plugin stays off until the person has looked. */
function switchedOff(row: StoredRow, lastError: Problem): StoredRow {
  return { ...row, enabled: false, lastError, lastErrorAt: new Date().toISOString() };
}

/**
 * What a person changes in a row; a field that is left out stays as it is. `revision`, when given, must be that of the
 * stored row (0 when there is none yet), otherwise somebody else has saved meanwhile.
 */
export interface AgentPluginPatch {
  enabled?: boolean;
  config?: Record<string, unknown>;
  /** Null: what the person agreed to at the installation. */
  grants?: Grants | null;
  ownHosts?: string[];
  setupState?: Record<string, unknown> | null;
  decidesApprovals?: boolean;
  /** The secrets that the plugin is given, and those that it is refused. */
  given?: string[];
  refused?: string[];
  /** Null: there are none any more. */
  working?: WorkingSettings | null;
  refusedSettings?: null;
  tools?: ToolSwitches;
  revision?: number;
}

/**
 * The row with the patch applied and its revision raised by one; `current` itself when the patch changes nothing.
 * @throws PatchbayError STALE_REVISION
 */
export function changed(key: string, current: StoredRow | undefined, patch: AgentPluginPatch): StoredRow {
  refuseStale(key, patch, current);
  const { revision: _, grants, working, refusedSettings, ...wanted } = patch;
  const base = current ?? newRow(key);
  const next: StoredRow = {
    ...base,
    ...defined(wanted),
    ...(grants && { grants }),
    ...(working && { working }),
  };
  if (grants === null) delete next.grants;
  if (working === null) delete next.working;
  if (refusedSettings === null) delete next.refusedSettings;
  if (current && isDeepStrictEqual(next, current)) return current;
  return { ...next, revision: base.revision + 1, updatedAt: new Date().toISOString() };
}

/**
 * The row for a plugin that has none stored yet: switched off, without settings, revision 0.
 *
 * @param at since when it is there, as ISO text; now when absent
 */
export function newRow(pluginKey: string, at = new Date().toISOString()): AgentPluginRow {
  return {
    pluginKey,
    enabled: false,
    config: {},
    setupState: null,
    runtimeState: null,
    lastError: null,
    lastErrorAt: null,
    decidesApprovals: false,
    revision: 0,
    createdAt: at,
    updatedAt: at,
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

/** A copy without the fields that are `undefined`. */
export function defined<P extends object>(patch: P): Partial<P> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<P>;
}
