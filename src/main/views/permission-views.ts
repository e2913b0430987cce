import {
  grantsOf,
  holdsItself,
  type Plugin,
  type PluginPermissions,
  tightestGrants,
  type WalledEvent,
  walledEventKinds,
  walledEventSchema,
} from "../../contract/index.ts";
import type { MachineWalls } from "../permissions/machine-walls.ts";
import type { Permissions } from "../permissions/permissions.ts";
import type { AuditLog } from "../store/index.ts";

export interface PermissionSources {
  permissions: Pick<Permissions, "of" | "defaults" | "seen">;
  registry: { get(key: string): Plugin | undefined };
  walls: Pick<MachineWalls, "report">;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const MOST_EVENTS = 200;

/** What a plugin may reach for an agent. One that is not installed may reach nothing. */
export function permissionsOf(
  { permissions, registry, walls }: PermissionSources,
  agentId: string,
  key: string,
  revision: number,
): PluginPermissions {
  const plugin = registry.get(key);
  return {
    grants: plugin ? permissions.of(agentId, plugin) : tightestGrants,
    defaults: plugin ? permissions.defaults(plugin) : tightestGrants,
    asked: plugin ? grantsOf(plugin.consent) : tightestGrants,
    putIn: (plugin?.declaration.secretKeys ?? []).flatMap(({ key, label, sentOnlyTo }) =>
      sentOnlyTo ? [{ key, label, hosts: sentOnlyTo }] : [],
    ),
    held: walls.report().stands || (plugin !== undefined && holdsItself(plugin)),
    seen: permissions.seen(agentId, key),
    revision,
  };
}

/** What walls and the person decided about a plugin on this day and the one before (UTC), the newest first. */
export async function walledEvents(
  audit: Pick<AuditLog, "read">,
  agentId: string,
  key: string,
  now: Date,
): Promise<WalledEvent[]> {
  const days = [now, new Date(now.getTime() - DAY_MS)].map((day) => day.toISOString().slice(0, 10));
  const lines = (await Promise.all(days.map((day) => audit.read(day)))).flatMap((read) => read.toReversed());
  const kinds: readonly string[] = walledEventKinds;
  return lines
    .filter(({ kind, ...of }) => kinds.includes(kind) && of.agentId === agentId && of.pluginKey === key)
    .slice(0, MOST_EVENTS)
    .flatMap((line) => {
      const parsed = walledEventSchema.safeParse({ ...line, target: line.target ?? line.host });
      return parsed.success ? [parsed.data] : [];
    });
}
