import { collections, keysOf, values } from "../src/contract/collections.ts";

/** What the renderer's mirror has to know of the contract's collections, as constants for its build and its tests. */
export const mirrored = {
  __COLLECTION_KEYS__: JSON.stringify(keysOf(collections)),
  __VALUE_NAMES__: JSON.stringify(Object.keys(values)),
};
