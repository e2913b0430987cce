import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";

/**
 * Files in a home folder that are worth stealing or changing. Walled processes see copies without content. A file system
 * notes when a file was read; a copy that was read or changed tells that somebody tried.
 */
const bait = [
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

/** Files of Patchbay's own folder that are worth stealing, as copies without content for programs that look there. */
const ownBait = ["gateway.json", "vault.json", "vault.key", "settings.json", "plugins.json", "agents.json"];

/** Milliseconds since 1970. Older than any change, so that Linux notes the first read even where it notes few. */
const longAgo = 1_000_000_000;

/** A folder for one walled process: a home folder with bait, and what it is connected through. Gone with the process. */
export class Scratch {
  readonly folder: string;
  /** Shown in the place of the person's home folder. */
  readonly home: string;
  /** Shown in the place of Patchbay's own folder. */
  readonly root: string;
  /** For sockets; shown as {@link doorFolder}. */
  readonly door: string;
  /** Account files with this one account alone. */
  readonly passwd: string;
  readonly group: string;
  /** The names of this computer, as far as there is no network. */
  readonly hosts: string;
  readonly #reported = new Set<string>();

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "patchbay-wall-"));
    this.home = join(this.folder, "home");
    this.root = join(this.folder, "root");
    this.door = join(this.folder, "door");
    this.passwd = join(this.folder, "passwd");
    this.group = join(this.folder, "group");
    this.hosts = join(this.folder, "hosts");
    mkdirSync(this.door, { mode: 0o700 });
    const { uid, gid, username } = userInfo();
    writeFileSync(this.passwd, `${username}:x:${uid}:${gid}::${homedir()}:/bin/sh\n`);
    writeFileSync(this.group, `${username}:x:${gid}:\n`);
    writeFileSync(this.hosts, "127.0.0.1 localhost patchbay\n::1 localhost\n");
    for (const folder of new Set(bait.map(dirname))) {
      mkdirSync(join(this.home, folder), { recursive: true, mode: 0o700 });
    }
    mkdirSync(this.root, { mode: 0o700 });
    for (const name of bait) lay(join(this.home, name));
    for (const name of ownBait) lay(join(this.root, name));
  }

  /**
   * The bait that was read or changed since the last look, as paths in the person's home folder. Files that were added
   * in a folder with bait count as well.
   */
  touched(): string[] {
    const found: string[] = [];
    const note = (name: string, path = join(homedir(), name)) => {
      if (this.#reported.has(path)) return;
      this.#reported.add(path);
      found.push(path);
    };
    for (const name of bait) if (!this.#isAsMade(join(this.home, name))) note(name);
    for (const name of ownBait)
      if (!this.#isAsMade(join(this.root, name))) note(name, `Patchbay's own ${name}`);
    for (const folder of new Set(bait.map(dirname))) {
      if (folder === ".") continue;
      for (const name of namesIn(join(this.home, folder))) {
        const path = join(folder, name);
        if (!bait.some((known) => known === path || known.startsWith(`${path}/`))) note(path);
      }
    }
    return found;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #isAsMade(path: string): boolean {
    try {
      const { atimeMs, mtimeMs } = statSync(path);
      return atimeMs === longAgo * 1_000 && mtimeMs === longAgo * 1_000;
    } catch {
      return false;
    }
  }
}

/** Where a walled process finds {@link Scratch.door}. */
export const doorFolder = "/run/patchbay";

function lay(path: string): void {
  writeFileSync(path, "", { mode: 0o600 });
  utimesSync(path, longAgo, longAgo);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
