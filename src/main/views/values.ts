import type { McpList, ValueOf, ValueRecord, VaultStatus, values } from "../../contract/index.ts";
import type { Holds } from "../holds/holds.ts";
import type { MachineWalls } from "../permissions/machine-walls.ts";
import type { Platform } from "../platform/platform.ts";
import type { SettingsStore } from "../registry/index.ts";
import type { Vault } from "../secrets/index.ts";

/** Reads each value as it is now. */
export type Values<V extends ValueRecord> = { [N in keyof V]: () => ValueOf<V, N> };
export type AppValues = Values<typeof values>;

/** What the status of the vault is put together from. */
export interface VaultSources {
  vault: Pick<Vault, "status" | "keys">;
  platform: Pick<Platform, "keychain">;
}

export interface ValueSources extends VaultSources {
  settings: Pick<SettingsStore, "get">;
  holds: Pick<Holds, "get">;
  walls: Pick<MachineWalls, "report">;
  mcpRegistry: { known(): McpList };
}

/** Where the core reads the values that exist once; one entry for each value of `contract/collections.ts`. */
export function valuesOf({ settings, holds, vault, walls, platform, mcpRegistry }: ValueSources): AppValues {
  return {
    settings: () => settings.get(),
    holds: () => holds.get(),
    vault: () => vaultStatus({ vault, platform }),
    walls: () => walls.report(),
    mcpList: () => mcpRegistry.known(),
  };
}

export function vaultStatus({ vault, platform }: VaultSources): VaultStatus {
  return { ...vault.status(), keys: [...vault.keys()], hasKeychain: platform.keychain !== undefined };
}

/** All of them now, for a snapshot. */
export function readValues<V extends ValueRecord>(readers: Values<V>): { [N in keyof V]: ValueOf<V, N> } {
  const now = Object.entries(readers).map(([name, read]) => [name, read()]);
  return Object.fromEntries(now) as { [N in keyof V]: ValueOf<V, N> };
}
