import { isObject } from "../../../../contract/is-object.ts";

/** What this runtime stores in `declaration.details` at the inspection and reads when the plugin starts. */
export interface NativeDetails {
  /**
   * The plugin has a single capability, and its schema and `parseConfig` describe the object of that capability, not
   * the wrapper.
   */
  flatConfig: boolean;
}

export function detailsOf(details: unknown): NativeDetails {
  return { flatConfig: isObject(details) && details.flatConfig === true };
}
