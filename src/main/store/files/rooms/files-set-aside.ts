import { type Dirent, existsSync } from "node:fs";
import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { agentIdSchema, PatchbayError } from "../../../../contract/index.ts";
import type { SetAsideFile, SetAsideFiles } from "../../set-aside-files.ts";
import type { Fence } from "../fence.ts";
import { readError, writeError } from "../files.ts";
import { filesBelow } from "../files-below.ts";

const STAMP = String.raw`(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z`;
/** As `pathAside` names files, and `setVaultAside` the folder of a vault. */
const FILE = new RegExp(String.raw`\.(?:damaged|tampered)-${STAMP}(?:\.[a-z]+)?$`);
const FOLDER = new RegExp(`^vault-set-aside-${STAMP}$`);

/** Looks for them beside the state files: in the home folder, in those of agents, and where plugins keep values. */
export class FilesSetAside implements SetAsideFiles {
  readonly #home: string;
  readonly #fence: Fence;

  constructor(home: string, fence: Fence) {
    this.#home = home;
    this.#fence = fence;
  }

  async list(): Promise<SetAsideFile[]> {
    const found = await this.#in("", null);
    for (const { name } of await entriesOf(join(this.#home, "agents"))) {
      if (!agentIdSchema.safeParse(name).success) continue;
      for (const place of ["", "storage/", "logs/"]) {
        found.push(...(await this.#in(`agents/${name}/${place}`, name)));
      }
    }
    return found.sort((a, b) => b.at - a.at);
  }

  async read(name: string): Promise<string> {
    const path = await this.#pathOf(name);
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      throw readError(error, path);
    }
  }

  async delete(name: string): Promise<void> {
    this.#fence.look();
    const path = await this.#pathOf(name);
    try {
      await rm(path, { recursive: true, force: true });
    } catch (error) {
      throw writeError(error, path);
    }
  }

  /** Only what is in the list has a path, so that none leads elsewhere. */
  async #pathOf(name: string): Promise<string> {
    const found = (await this.list()).some((one) => one.name === name);
    if (!found) throw new PatchbayError("NOT_FOUND", "There is no such file any more.");
    return join(this.#home, ...name.split("/"));
  }

  async #in(place: string, agentId: string | null): Promise<SetAsideFile[]> {
    const files: SetAsideFile[] = [];
    for (const entry of await entriesOf(join(this.#home, ...place.split("/")))) {
      const at = timeIn(entry, place === "");
      if (at === null) continue;
      const name = `${place}${entry.name}`;
      const path = join(this.#home, ...name.split("/"));
      const bytes = entry.isFile() ? (await lstat(path)).size : await sizeOf(path);
      const isText = entry.isFile() && !entry.name.startsWith("vault");
      files.push({ name, at, bytes, agentId, isText });
    }
    return files;
  }
}

/** When it was set aside; null when it is no such file. Links are none. */
function timeIn(entry: Dirent, isHome: boolean): number | null {
  const found = entry.isFile()
    ? FILE.exec(entry.name)
    : entry.isDirectory() && isHome
      ? FOLDER.exec(entry.name)
      : null;
  if (!found) return null;
  const [, day, hours, minutes, seconds, ms] = found;
  const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`);
  return Number.isNaN(at) ? null : at;
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for await (const file of filesBelow(folder)) bytes += file.bytes;
  return bytes;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return existsSync(folder) ? readdir(folder, { withFileTypes: true }).catch(() => []) : [];
}
