import { isObject } from "../../../../contract/is-object.ts";

/** What this runtime reads again of its own inspection when a plugin starts. */
export interface NativeDetails {
  /** The plugin has one capability, and its schema and its `parseConfig` speak of that one's own object. */
  flatConfig: boolean;
}

export function detailsOf(details: unknown): NativeDetails {
  return { flatConfig: isObject(details) && details.flatConfig === true };
}
