import { PatchbayError } from "../../../contract/index.ts";

/** What of a repository is meant. A `fragment` is a branch, tag or commit; where none is called so, a folder. */
export type GitRevision =
  | { kind: "default" }
  | { kind: "committish"; committish: string }
  | { kind: "fragment"; fragment: string }
  | { kind: "range"; range: string };

/** A revision, and the folder of the repository that is the plugin; without `folder` the whole repository is. */
export interface WantedOfGit {
  wanted: GitRevision;
  folder?: string;
}

/**
 * Reads what follows the `#` of a git address: `ref`, `sub/path`, `ref:sub/path`, `:sub/path`, `semver:range`, and npm's
 * `ref::path:sub/path`.
 * @throws PatchbayError SPEC_UNSUPPORTED
 */
export function readFragment(fragment: string): WantedOfGit {
  if (fragment === "") return { wanted: { kind: "default" } };
  const [, range] = /^semver:([^:]+)/.exec(fragment) ?? [];
  const rest = range === undefined ? fragment : fragment.slice("semver:".length + range.length);
  const [, ref, folder] = /^([^:]*?)(?:::path:|(?<=^path):|:)(.*)$/s.exec(rest) ?? [];
  if (range !== undefined)
    return { wanted: { kind: "range", range }, ...(folder !== undefined && at(folder)) };
  if (ref === undefined || folder === undefined) {
    if (/(?:^|\/)\.{0,2}(?:\/|$)/.test(fragment)) folderPath(fragment);
    return { wanted: { kind: "fragment", fragment: fragment.replace(/\/$/, "") } };
  }
  if (ref.startsWith("-")) throw notARevision(ref);
  const named = ref !== "" && ref !== "path";
  return { wanted: named ? { kind: "committish", committish: ref } : { kind: "default" }, ...at(folder) };
}

/**
 * A path of a folder below the top of a repository, as it is written with forward slashes, without one at its end.
 * @throws PatchbayError SPEC_UNSUPPORTED for one that could lead out of it, or into what is git's own
 */
export function folderPath(text: string): string {
  const path = text.replace(/\/$/, "");
  const isSafe = path.split("/").every((part) => !/^(?:\.{0,2}|\.git)$/i.test(part));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: such characters are what is refused.
  if (isSafe && !/[\\:\u0000-\u001f\u007f]/.test(path)) return path;
  throw new PatchbayError("SPEC_UNSUPPORTED", `“${text}” is not a folder inside of a repository.`, {
    help: "Write its path from the top of the repository with names alone, such as plugins/weather: no “.” or “..”, and no slash before it.",
  });
}

/** @throws PatchbayError SPEC_UNSUPPORTED */
export function notARevision(committish: string): PatchbayError {
  return new PatchbayError("SPEC_UNSUPPORTED", `“${committish}” is not the name of a branch, tag or commit.`);
}

const at = (folder: string) => ({ folder: folderPath(folder) });
