import { collections, keysOf, values } from "../src/contract/collections.ts";

/**
 * What the renderer's mirror needs to know of the contract's collections. They are constants of its build, so that the
 * schemas themselves stay out of the page.
 */
export const mirrored = {
  __COLLECTION_KEYS__: JSON.stringify(keysOf(collections)),
  __VALUE_NAMES__: JSON.stringify(Object.keys(values)),
};
