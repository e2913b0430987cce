import type { AgentPluginRow } from "../../contract/index.ts";
import { hostsIn } from "../permissions/settings-hosts.ts";
import type { SealedSave } from "./sealed-save.ts";

/**
 * What a save of settings gives to a plugin besides settings: the stored secrets and the hosts that the person names in
 * them, and that were not named before. Also of a host that is granted already: one in the settings may lead anywhere,
 * to this computer too.
 *
 * @param row what there was before
 */
export function gainsBy(
  { config, byHand }: Pick<SealedSave, "config" | "byHand">,
  row: Pick<AgentPluginRow, "config" | "ownHosts"> | undefined,
): string[] {
  const before = new Set(hostsIn(row?.config).filter((host) => !row?.ownHosts?.includes(host)));
  return [...byHand, ...hostsIn(config(new Map())).filter((host) => !before.has(host))];
}
