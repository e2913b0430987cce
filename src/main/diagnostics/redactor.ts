import { homedir, userInfo } from "node:os";
import { literally } from "../secrets/redaction/redaction.ts";

const MASK = "•••";

/**
 * Texts that look like a secret although nobody stored them. Where a pattern has a group, the group (a prefix such as
 * `Bearer `) is kept.
 */
const patterns: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b((?:Bearer|Basic)\s+)(?!•)[\w.~+/=:-]{6,}/gi,
  /(\/\/)[^\s/:@"'\\]+:[^\s/@"'\\]+(?=@)/g,
  /([?&#](?:code|state|sig|signature|[\w-]*(?:token|secret|key|password))=)[^\s&"'\\#]{4,}/gi,
  /\b(?:sk|rk|pk)[-_](?:[a-z]+[-_])*[\w-]{16,}/g,
  /\b(?:gh[opusr]_|github_pat_|glpat-|npm_|hf_|oh_ch_)\w{16,}/g,
  /\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}/g,
  /\b\d{6,12}:[\w-]{30,}/g,
];

/** `"password": "…"`, `api_key=…`: a value whose name says that it is a secret. */
const named =
  /((?:["'\\]|\b)[\w.-]*(?:token|secret|password|passwd|passphrase|api[_-]?key|private[_-]?key|session[_-]?key|auth[_-]?key|cookie|authorization)s?\\?["']?\s*[:=]\s*\\?["']?)([^\s"',;&}\]\\]{4,})/gi;

export interface RedactorOptions {
  /** Takes out every secret that is known, in all its spellings. */
  byValue(text: string): string;
  /** Names of stored secrets. A value that equals such a name is a reference and stays. */
  names: readonly string[];
  /** The personal folder of the person; this machine's when absent. */
  homeFolder?: string;
  userName?: string;
}

/**
 * Makes a function that makes texts fit for a stranger: it hides known secrets, what looks like a secret, and the
 * person's name and home folder in paths.
 */
export function createRedactor({
  byValue,
  names,
  homeFolder = homedir(),
  userName = nameOfUser(),
}: RedactorOptions): (text: string) => string {
  const harmless = new Set(names);
  const shorten = pathShortener(homeFolder, userName);
  return (text) => {
    let shown = byValue(text);
    for (const pattern of patterns)
      shown = shown.replace(pattern, (_whole, kept: unknown) =>
        typeof kept === "string" ? `${kept}${MASK}` : MASK,
      );
    shown = shown.replace(named, (whole, name: string, value: string) =>
      isHarmless(value, harmless) ? whole : `${name}${MASK}`,
    );
    return shorten(shown);
  };
}

function isHarmless(value: string, names: ReadonlySet<string>): boolean {
  return (
    names.has(value) ||
    value.startsWith(MASK) ||
    value.startsWith("${") ||
    /^(?:true|false|null|undefined|[\d.]+|[[{].*)$/.test(value)
  );
}

/** `/home/ada/notes` and `C:\\Users\\ada\\notes` become `~/notes`, however they are written. */
function pathShortener(homeFolder: string, userName: string): (text: string) => string {
  const end = String.raw`(?=$|[^\w.-])`;
  const folders = [
    ...new Set([homeFolder, homeFolder.replaceAll("\\", "\\\\"), homeFolder.replaceAll("\\", "/")]),
  ]
    .filter((folder) => folder.length > 1)
    .sort((left, right) => right.length - left.length)
    .map((folder) => new RegExp(literally(folder) + end, "gi"));
  const others =
    /(?:\/(?:home|Users)\/|[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))[^\s/\\"'`:;,<>|()[\]{}]+/g;
  const part =
    userName.length > 1 ? new RegExp(String.raw`(?<=[/\\])${literally(userName)}${end}`, "gi") : null;
  return (text) => {
    let shown = text;
    for (const folder of folders) shown = shown.replace(folder, "~");
    shown = shown.replace(others, "~");
    return part ? shown.replace(part, "~") : shown;
  };
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A process may run under a user id that has no name.
    return "";
  }
}
