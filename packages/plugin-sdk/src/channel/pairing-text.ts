const commandPattern = /^([/!]?)pair(?:@\S+)?\s+([0-9a-z]{3})[-\s]?([0-9a-z]{3})\s*$/i;

/**
 * The code in a typed command (`/pair 7K4-2MD`); null when the text is none. `bare`: without a mark, as clients that eat
 * slashes leave it; anybody may mean something else by it.
 */
export function pairingOf(text: string): { code: string; bare: boolean } | null {
  const [, mark, first, second] = commandPattern.exec(text.trim()) ?? [];
  if (first === undefined || second === undefined) return null;
  return { code: `${first}-${second}`.toUpperCase(), bare: mark === "" };
}
