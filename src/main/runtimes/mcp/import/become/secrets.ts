/** What the names of secrets have in them. */
const secretNames =
  /(?:^|[^a-z])(?:api[-_]?)?keys?(?:$|[^a-z])|apikey|accesskey|secretkey|token|secret|passw|passphrase|credential|bearer|cookie|authorization|(?:^|[^a-z])(?:auth|pat|pwd|pass|dsn)(?:$|[^a-z])|connection[-_]?string/i;
/** Names that only count something: MAX_TOKENS, TOKEN_LIMIT. */
const countingNames = /(?:^|[^a-z])(?:max|min|num|limit|count|budget|tokens)(?:$|[^a-z])/i;
/** Names of a place, a switch or a kind of a secret, and not of the secret itself. */
const aboutNames = /[-_](?:file|path|dir|type|mode|method|endpoint|enabled|name|header)$/i;

const knownForms =
  /^(?:sk-|sk_|pk_|rk_|ghp_|gho_|ghs_|ghu_|github_pat_|glpat-|xox[a-z]-|AKIA|ASIA|AIza|eyJ|npm_|hf_|shpat_|ntn_|secret_|dop_v1_|SG\.|figd_|lin_api_|tvly-|pat[A-Za-z0-9]{14}\.)/;

/** Whether a variable, option, header or field of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2");
  return secretNames.test(spaced) && !countingNames.test(spaced) && !aboutNames.test(spaced);
}

/** Whether a value under a name that may hold a secret is one: a word such as `true` or a small number is none. */
export function isSecret(name: string, value: string): boolean {
  if (value === "" || /^(?:true|false|none|null|yes|no|on|off)$/i.test(value)) return false;
  return isSecretName(name) || looksSecret(value);
}

/** Whether a text is one by its looks: a known form of key, an address with a password, or long and random. */
export function looksSecret(text: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^@\s/]+@/i.test(text)) return true;
  if (knownForms.test(text) && text.length >= 16) return true;
  if (!/^[A-Za-z0-9_+/=.:~-]{20,}$/.test(text) || /^(?:[a-z]+:|\.{0,2}\/|[A-Za-z]:)/.test(text)) return false;
  // Names of packages, hosts, files and versions have words; a key has digits among its letters.
  const pieces = text.split(/[-_./:]/);
  const longest = Math.max(...pieces.map((piece) => piece.length));
  const mixed = /\d/.test(text) && /[A-Za-z]/.test(text);
  return mixed && (longest >= 16 || isUuid(text)) && entropyOf(text) > 3;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Shannon's, in bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / text.length) * Math.log2(count / text.length),
    0,
  );
}
