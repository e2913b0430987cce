/** How a server compares names (005 CASEMAPPING). */
export function foldName(name: string, casemapping: unknown): string {
  const lower = name.toLowerCase();
  if (casemapping === "ascii") return lower;
  const folded = lower.replaceAll("[", "{").replaceAll("]", "}").replaceAll("\\", "|");
  return casemapping === "strict-rfc1459" ? folded : folded.replaceAll("~", "^");
}

/** What is said to the bot by name: `nick: text`, `nick, text`, or the name as a word somewhere in it. */
export function addressedTo(
  text: string,
  nick: string,
  casemapping: unknown,
): { addressed: boolean; text: string } {
  const fold = (part: string) => foldName(part, casemapping);
  const start = text.slice(0, nick.length);
  const rest = text.slice(nick.length);
  if (fold(start) === fold(nick) && /^[:,]/.test(rest)) {
    return { addressed: true, text: rest.slice(1).trim() };
  }
  const words = text.split(/[^\p{L}\p{N}[\]\\`_^{|}~-]+/u);
  return { addressed: words.some((word) => fold(word) === fold(nick)), text };
}

/** Whether a server could know somebody by this name. */
export const isNick = (name: string) => /^[^\s!@:#&*?,.]{1,64}$/.test(name);

/** How an account names its direct conversation. */
export const conversationOf = (account: string) => foldName(account, "ascii");
