import type { Capabilities, CatalogEntry, FoundPlugin } from "../../contract/index.ts";

/** A plugin in a list that a plugin system publishes. */
export interface ListedPlugin {
  /** What to install, as a person would type it. */
  spec: string;
  packageName: string;
  packageVersion?: string;
  displayName: string;
  description: string;
  /** An https address. */
  homepage?: string;
  /** By the list's word. */
  capabilities?: Capabilities;
  /** A picture as a data URL. */
  icon?: string;
  /** The systems that it is made for, where this computer's is none of them. */
  madeFor?: CatalogEntry["madeFor"];
}

/** The plugins of another installation of a system, in the order in which that loads them. */
export interface FoundElsewhere {
  plugins: readonly Omit<FoundPlugin, "runtime" | "installed">[];
  /** The folders that were looked at, whether they are there or not. */
  places: readonly string[];
  /** Why something could not be read, an English sentence. */
  problem: string | null;
}
