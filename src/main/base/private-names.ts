/** Words that say, as a whole word of a name, that its value is nobody else's business. */
const PRIVATE =
  /^(?:tokens?|secrets?|pass(?:word|wd|phrase|code)?|pwd|bearer|credentials?|auth|authorization|apikey|privatekey|accesskey|secretkey|cookie)$/;

/** Before `key`: with these it opens something, while `key` alone may be the name of an entry. */
const OPENS =
  /^(?:api|access|private|secret|auth|signing|encryption|ssh|master|client|service|account|deploy)$/;

/** Whether a field is named like one that holds a secret: `api_key`, `githubToken`, `PASSWORD`. */
export function isNamedLikeSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase());
  return words.some(
    (word, at) => PRIVATE.test(word) || (/^keys?$/.test(word) && OPENS.test(words[at - 1] ?? "")),
  );
}

/** What stands in the place of a value that is not shown. */
export const HIDDEN = "[hidden]";

/**
 * The same value with every text under a name like that of a secret hidden, at any depth; numbers and yes or no stay:
 * `max_tokens` is no secret.
 */
export function withoutPrivate<T>(value: T): T {
  return hide(value, false) as T;
}

function hide(value: unknown, isPrivate: boolean): unknown {
  if (typeof value === "string") return isPrivate && value !== "" ? HIDDEN : value;
  if (Array.isArray(value)) return value.map((entry) => hide(entry, isPrivate));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, hide(entry, isPrivate || isNamedLikeSecret(name))]),
  );
}
