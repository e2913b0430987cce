/** What an item of a collection is called on the wire and in a mirror: the fields of its key in one word. */
export function itemId(...key: readonly string[]): string {
  return key.join("/");
}

/** The id of an item whose collection is known by these fields. */
export function idOf(key: readonly string[], item: unknown): string {
  return itemId(...key.map((field) => String((item as Record<string, unknown>)[field])));
}
