import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import npa from "npm-package-arg";
import { PatchbayError, pluginKeySchema } from "../../../contract/index.ts";
import { folderPath, notARevision, readFragment, type WantedOfGit } from "./git-revision.ts";

/** The meaning of a spec, found from its text alone. */
export type Spec =
  /** `isServer`: an MCP server by the word of the person, whether the package says so or not. */
  | { kind: "npm"; name: string; range: string; isServer?: true }
  | { kind: "tarball"; location: { file: string } | { url: string } }
  | { kind: "folder"; path: string }
  | ({ kind: "git"; url: string } & WantedOfGit)
  | { kind: "builtin"; key: string }
  /** A server of an MCP Registry. `way`: how it is had, where it is offered in several ways. */
  | { kind: "mcp-registry"; name: string; version: string; way?: string }
  /** An MCP server of another program, or one that was pasted. */
  | { kind: "mcp-import"; spec: string };

/**
 * Reads what the person typed: `name@range`, a `.tgz` (path or address), a folder, a git address, `owner/repo[@ref]`,
 * `github:owner/repo`, `file://…` or `builtin:<key>`. A folder of a repository is `owner/repo/sub/path`, `#sub/path` or
 * `#ref:sub/path`. Paths of this machine must be absolute, because only the caller knows the folder that a relative path
 * starts from.
 * @throws PatchbayError SPEC_UNSUPPORTED
 */
export function parseSpec(spec: string): Spec {
  const text = spec.trim();
  if (text === "") throw unsupported("Nothing was given to install.");
  if (text.startsWith("mcp-registry:")) return registeredServer(text.slice("mcp-registry:".length));
  if (/^mcp-(?:client|given|line):/.test(text)) return { kind: "mcp-import", spec: text };
  if (text.startsWith("mcp:npm/")) return serverPackage(text.slice("mcp:npm/".length));
  if (text.startsWith("builtin:")) return builtin(text.slice("builtin:".length));
  if (/^file:\/\/.+\.git\/?(?:#.*)?$/.test(text)) return { kind: "git", ...splitRevision(text) };
  const repository =
    /^(?:git\+)?(file:\/\/.*\.git\/?)@([^@\s]+)$/.exec(text) ??
    /^(?:git\+)?(file:\/\/.*[^/@])@([^@/\s]+)$/.exec(text);
  if (repository && !isArchive(text)) return fileRepository(repository[1] as string, repository[2] as string);
  if (text.startsWith("file:")) return path(filePath(text));
  if (looksLikePath(text)) return path(text);
  return folderOnGitHub(text) ?? repositoryAt(text) ?? packageSpec(text);
}

/** The spec without passwords and tokens, for screens, logs and files. The user of an ssh address stays. */
export function withoutCredentials(spec: string): string {
  return spec
    .replace(/((?:^|[\s+])https?:\/\/)[^/@\s]*@/gi, "$1")
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^/@:\s]*):[^/@\s]*@/gi, "$1@");
}

function builtin(key: string): Spec {
  if (!pluginKeySchema.safeParse(key).success) {
    throw unsupported(`“builtin:${key}” does not name a built-in plugin.`);
  }
  return { kind: "builtin", key };
}

/** `io.github.acme/tickets@1.4.0#pypi`; without a version the newest is meant. */
function registeredServer(text: string): Spec {
  const [, name, version = "latest", way] =
    /^([a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+)(?:@([^\s#]+))?(?:#([a-z]+))?$/.exec(text) ?? [];
  if (name === undefined)
    throw unsupported(
      `“mcp-registry:${text}” does not name a server of the registry.`,
      "Give a name such as io.github.acme/tickets.",
    );
  return { kind: "mcp-registry", name, version, ...(way !== undefined && { way }) };
}

/** `mcp:npm/@acme/tickets-mcp@1.4.0`: a package that is a server although it does not say so. */
function serverPackage(text: string): Spec {
  const parsed = packageSpec(text);
  if (parsed.kind === "npm") return { ...parsed, isServer: true };
  throw unsupported(
    `“mcp:npm/${text}” does not name a package of npm.`,
    "Give a name such as mcp:npm/tickets-mcp.",
  );
}

function looksLikePath(text: string): boolean {
  return (
    /^(?:\.{0,2}[/\\]|\.{1,2}$|~|[a-zA-Z]:[/\\])/.test(text) ||
    /^[^@:]*\.(?:tgz|tar\.gz|tar|mcpb|dxt)$/i.test(text)
  );
}

function path(text: string): Spec {
  if (!isAbsolute(text)) {
    throw unsupported(
      `“${text}” is not a whole path.`,
      "Give the path from the root of the disk, or use the command line, which knows your current folder.",
    );
  }
  return isArchive(text)
    ? { kind: "tarball", location: { file: text } }
    : { kind: "folder", path: text.length > 1 ? text.replace(/[/\\]+$/, "") : text };
}

/** `file:///path/to/repository@ref`: what is given a reference is a repository, whatever its folder is called. */
function fileRepository(address: string, committish: string): Spec {
  filePath(address);
  if (committish.startsWith("-")) throw notARevision(committish);
  return { kind: "git", url: address, wanted: { kind: "committish", committish } };
}

function filePath(text: string): string {
  try {
    return text.startsWith("file://") ? fileURLToPath(text) : text.slice("file:".length);
  } catch {
    throw unsupported(`“${text}” is not a valid file address.`);
  }
}

/** `owner/repo/sub/path`, and the address of a folder as the pages of GitHub have it. */
function folderOnGitHub(text: string): Spec | null {
  const [, owner, repo, path] = /^(?:github:)?([A-Za-z0-9][\w-]*)\/([\w.-]+)\/([^\s]+)$/.exec(text) ?? [];
  if (owner !== undefined && repo !== undefined && path !== undefined) {
    if (/^\.{1,2}$/.test(repo)) throw notASpec(text);
    if (/[#@]/.test(path)) throw folderTwice(text, `${owner}/${repo}`);
    return { kind: "git", url: gitHub(owner, repo), wanted: { kind: "default" }, folder: folderPath(path) };
  }
  const [, ofOwner, ofRepo, committish, folder] =
    /^https:\/\/github\.com\/([\w-]+)\/([\w.-]+)\/tree\/([^/\s#?]+)\/([^\s#?]+)$/.exec(text) ?? [];
  if (ofOwner === undefined || ofRepo === undefined || !committish || !folder) return null;
  const wanted = { kind: "committish", committish: decodeURIComponent(committish) } as const;
  return {
    kind: "git",
    url: gitHub(ofOwner, ofRepo),
    wanted,
    folder: folderPath(decodeURIComponent(folder)),
  };
}

const gitHub = (owner: string, repo: string) =>
  `https://github.com/${owner}/${repo.replace(/\.git$/, "")}.git`;

function folderTwice(text: string, repository: string): PatchbayError {
  return unsupported(
    `“${text}” says in two ways what of the repository is meant.`,
    `For a folder at a branch, tag or commit, write ${repository}#branch:folder/path.`,
  );
}

/**
 * `owner/repo@ref` and `<git address>@ref`, as fledge writes them: split at the last `@` that does not belong to a user
 * or an npm scope. A reference may contain slashes.
 */
function repositoryAt(text: string): Spec | null {
  const match =
    /^([A-Za-z0-9][\w.-]*\/[\w.-]+)@([^@\s]+)$/.exec(text) ??
    /^((?:(?:https?|ssh|git):\/\/[^/\s]+\/|git@[^:/\s]+:)[^\s]*[^/\s])@([^@\s]+)$/.exec(text);
  const [, address, committish] = match ?? [];
  if (address === undefined || committish === undefined || isArchive(committish)) return null;
  const base = packageSpec(address);
  if (base.kind !== "git") return null;
  if (committish.startsWith("-")) throw notARevision(committish);
  return { kind: "git", url: base.url, wanted: { kind: "committish", committish } };
}

function packageSpec(text: string): Spec {
  const hash = text.indexOf("#");
  const fragment = hash < 0 ? "" : text.slice(hash + 1);
  const address = hash < 0 ? text : text.slice(0, hash);
  if (climbs(address)) throw notASpec(text);
  const parsed = parsePackageArgument(address);
  switch (parsed.type) {
    case "version":
    case "range":
    case "tag":
      if (!parsed.name || hash >= 0) break;
      return {
        kind: "npm",
        name: parsed.name,
        range: parsed.rawSpec === "*" || parsed.rawSpec === "" ? "latest" : parsed.rawSpec,
      };
    case "remote": {
      const url = parsed.fetchSpec ?? text;
      if (isArchive(new URL(url).pathname)) return { kind: "tarball", location: { url } };
      return { kind: "git", url, ...readFragment(decoded(fragment)) };
    }
    case "git":
      return { kind: "git", url: gitUrl(parsed, text), ...revisionOf(parsed, fragment) };
  }
  throw notASpec(text);
}

/** What the fragment says; without one, the branch in the address of a page of a git host. */
function revisionOf(parsed: npa.Result, fragment: string): WantedOfGit {
  const { gitCommittish } = parsed;
  if (fragment === "" && gitCommittish) return { wanted: { kind: "committish", committish: gitCommittish } };
  return readFragment(decoded(fragment));
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function parsePackageArgument(text: string): npa.Result {
  try {
    return npa(text, "/");
  } catch (error) {
    throw notASpec(text, error);
  }
}

function splitRevision(url: string): { url: string } & WantedOfGit {
  const parsed = new URL(url);
  const fragment = decoded(parsed.hash.slice(1));
  parsed.hash = "";
  return { url: parsed.toString(), ...readFragment(fragment) };
}

/** The methods of npm-package-arg's description of a git host that its types leave out. */
interface GitHost {
  getDefaultRepresentation(): string;
  https(options: { noGitPlus: true; noCommittish: true }): string | undefined;
}

function gitUrl(parsed: npa.Result, text: string): string {
  const host = parsed.hosted as unknown as GitHost | undefined;
  const isShort = host?.getDefaultRepresentation() === "shortcut";
  const url = isShort ? host?.https({ noGitPlus: true, noCommittish: true }) : parsed.fetchSpec;
  if (!url || url.startsWith("-")) throw unsupported(`“${withoutCredentials(text)}” is not a git address.`);
  return url.replace(/^git\+/, "").replace(/#.*$/, "");
}

/** Whether an address has segments `.` or `..`, with which it would seem to belong to another owner. */
function climbs(url: string): boolean {
  return /(?:^|[/:])(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(url.replace(/^[a-z+]+:\/\/[^/]*/i, ""));
}

function isArchive(name: string): boolean {
  return /\.(?:tgz|tar\.gz|tar|mcpb|dxt)$/i.test(name);
}

function notASpec(text: string, cause?: unknown): PatchbayError {
  return unsupported(
    `“${withoutCredentials(text)}” is not a package name, owner/repo, file, folder or git address.`,
    undefined,
    cause,
  );
}

function unsupported(message: string, help?: string, cause?: unknown): PatchbayError {
  return new PatchbayError("SPEC_UNSUPPORTED", message, {
    ...(help && { help }),
    ...(cause !== undefined && { cause }),
  });
}

/** The name of the file that a spec names, where it is an uploaded one; else null. */
export function uploadedName(spec: string): string | null {
  return /[\\/]upload-[0-9a-f-]{36}[\\/]([^\\/]+)$/.exec(spec)?.[1] ?? null;
}
