/**
 * The encodings in which a value often appears in a text: as it is, in JSON, in addresses, in base64 (alone and as a
 * part of a longer text), in hex.
 */
export function spellingsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const json = JSON.stringify(value).slice(1, -1);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before, "x"), bytes, Buffer.alloc(3, "y")]).toString("base64");
    const first = Math.ceil((before * 4) / 3);
    return text.slice(first, first + Math.floor(((before + bytes.length) * 4) / 3) - first);
  });
  const all = [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(value),
    encodeURIComponent(value).replaceAll("%20", "+"),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    bytes.toString("hex"),
  ];
  return [...new Set(all)];
}

/**
 * Finds each of these values in `content`, in any of its encodings. Returns one entry for each find, with the name of
 * the value.
 */
export function leaksIn(content: string | Buffer, secrets: Record<string, string>): string[] {
  return Object.entries(secrets).flatMap(([name, value]) =>
    spellingsOf(value).flatMap((text) => (content.includes(text) ? [`${name} as ${text}`] : [])),
  );
}
