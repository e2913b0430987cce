import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files in a home folder that are worth stealing or changing. */
export const personsFiles = [
  ".ssh/id_ed25519",
  ".ssh/id_rsa",
  ".ssh/config",
  ".ssh/authorized_keys",
  ".aws/credentials",
  ".config/gcloud/application_default_credentials.json",
  ".config/autostart/autostart.desktop",
  ".docker/config.json",
  ".gnupg/secring.gpg",
  ".kube/config",
  ".netrc",
  ".npmrc",
  ".git-credentials",
  ".bash_history",
  ".bashrc",
  ".profile",
  ".zshrc",
];

/** Those in Patchbay's own folder. */
export const ownFiles = [
  "gateway.json",
  "access.json",
  "vault.json",
  "vault.key",
  "settings.json",
  "plugins.json",
  "agents/agents.json",
  "audit/audit.jsonl",
];

/** Makes a folder with these files, which hold nothing. */
export function layOut(folder: string, files: readonly string[]): void {
  mkdirSync(folder, { mode: 0o700 });
  const folders = foldersOf(files);
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true, mode: 0o700 });
  for (const path of files) writeFileSync(join(folder, path), "", { mode: 0o600 });
  for (const path of [...files, ...folders]) utimesSync(join(folder, path), longAgo, longAgo);
}

function foldersOf(files: readonly string[]): string[] {
  return [...new Set(files.map(dirname))].filter((path) => path !== ".");
}

/** Seconds since 1970. Older than any change, so that Linux notes the first read even where it notes few. */
const longAgo = 1_000_000_000;

/**
 * A folder that walled processes see in the place of one with secrets: its files without their content. A file system
 * notes when a file was read or a folder was listed; a copy that was read, listed or changed tells that somebody tried.
 */
export class Bait {
  /** Where it lies on this side of the wall. */
  readonly folder: string;
  readonly #shownAt: string;
  readonly #files: readonly string[];
  readonly #folders: readonly string[];
  readonly #granted: readonly string[];
  readonly #top: readonly string[];
  readonly #reported = new Set<string>();

  /**
   * @param folder where {@link layOut} made these files
   * @param shownAt what it stands for, as a path behind the wall
   * @param granted paths that the process really sees; what leads to them is no find
   * @param isForeign whether nothing may be added at its top either; programs keep their own things in a home folder
   */
  constructor(
    folder: string,
    shownAt: string,
    files: readonly string[],
    granted: readonly string[],
    isForeign = false,
  ) {
    this.folder = folder;
    this.#shownAt = shownAt;
    this.#files = files;
    this.#granted = granted;
    this.#top = isForeign ? ["."] : [];
    this.#folders = foldersOf(files);
  }

  /** What was read, listed, changed or added since the last look, as paths behind the wall, each once. */
  touched(): string[] {
    const read = this.#files.filter((path) => !isAsMade(join(this.folder, path), true));
    const listed = this.#folders.filter((path) => !isAsMade(join(this.folder, path), false));
    const known = new Set([...this.#files, ...this.#folders]);
    const added = [...this.#top, ...this.#folders].flatMap((path) =>
      namesIn(join(this.folder, path))
        .map((name) => join(path, name))
        .filter((each) => !known.has(each) && !this.#leadsToGranted(each)),
    );
    const found = [...read, ...listed, ...added].filter((path) => !this.#reported.has(path));
    for (const path of found) this.#reported.add(path);
    return found.map((path) => join(this.#shownAt, path));
  }

  #leadsToGranted(path: string): boolean {
    const shown = join(this.#shownAt, path);
    return this.#granted.some((each) => each === shown || each.startsWith(`${shown}/`));
  }
}

/** Whether nobody read it and, for a file, nobody changed it. */
function isAsMade(path: string, isFile: boolean): boolean {
  try {
    const { atimeMs, mtimeMs } = statSync(path);
    return atimeMs === longAgo * 1_000 && (!isFile || mtimeMs === longAgo * 1_000);
  } catch {
    return false;
  }
}

/** Looking for what was added must not look as if somebody else had listed the folder. */
function namesIn(folder: string): string[] {
  try {
    const before = statSync(folder);
    const names = readdirSync(folder);
    utimesSync(folder, before.atime, before.mtime);
    return names;
  } catch {
    return [];
  }
}
