/** Most characters of a plugin key of Patchbay (`pluginKeyPattern`). */
const LONGEST = 64;

/**
 * The key under which Patchbay keeps a plugin, from what its own system calls it, which may be any text:
 * `image_gen/openai` becomes `image-gen-openai`. Two names may give the same one; then the person is asked for another.
 */
export function patchbayKeyOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
  return plain === "" ? "plugin" : plain;
}
