/** The id of an item on the wire and in a mirror: the fields of its key, joined by slashes. */
export function itemId(...key: readonly string[]): string {
  return key.join("/");
}

/** The id of an item whose key consists of these fields. */
export function idOf(key: readonly string[], item: unknown): string {
  return itemId(...key.map((field) => String((item as Record<string, unknown>)[field])));
}
