/** Most characters of a plugin key of Patchbay (`pluginKeyPattern`). */
const LONGEST = 64;

/**
 * The key under which Patchbay keeps a plugin of Flowly, from Flowly's own key, which may be any text:
 * `image_gen/openai` becomes `image-gen-openai`. Two of Flowly's keys may give the same one; then the person is asked for
 * another.
 */
export function patchbayKeyOf(flowlyKey: string): string {
  const plain = flowlyKey
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
  return plain === "" ? "plugin" : plain;
}
