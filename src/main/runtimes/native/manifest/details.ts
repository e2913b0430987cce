import { isObject } from "../../../../contract/is-object.ts";

/** What this runtime stores in `declaration.details` at the inspection and reads when the plugin starts. */
export interface NativeDetails {
  /**
   * The plugin has a single capability, and its schema and `parseConfig` describe the object of that capability, not
   * the wrapper.
   */
  flatConfig: boolean;
  /** The tool namespace of the package itself, where the person gave the plugin another key. */
  ownNamespace?: string;
}

export function detailsOf(details: unknown): NativeDetails {
  if (!isObject(details)) return { flatConfig: false };
  const { flatConfig, ownNamespace } = details;
  return { flatConfig: flatConfig === true, ...(typeof ownNamespace === "string" && { ownNamespace }) };
}
