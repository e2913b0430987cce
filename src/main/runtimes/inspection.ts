import type { Asks, Capabilities, Declaration, RuntimeId } from "../../contract/index.ts";

/** What a plugin declares. */
export interface Inspection {
  runtime: RuntimeId;
  manifestKey: string;
  packageName: string;
  packageVersion: string;
  displayName: string;
  description: string;
  capabilities: Capabilities;
  declaration: Declaration;
  /** What the person is asked to agree to. */
  consent: Asks;
  /** Sentences about oddities that do no harm, such as unknown keys in the manifest. */
  warnings: string[];
}

/** What the files of a package say of it when only its code can tell what plugin it is. */
export interface Undescribed {
  packageName: string;
  packageVersion: string;
  publisher?: string;
}

/** A reason against an installation, which the person may accept. */
export interface Risk {
  /** In English. */
  sentence: string;
  /** What the plugin wants that makes it one. */
  wants: readonly ("programs" | "network")[];
}
