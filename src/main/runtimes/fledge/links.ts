import { link, mkdir, rm, symlink } from "node:fs/promises";
import { join, win32 } from "node:path";

/**
 * Links named `fledge-<command>` to a plugin's programs: programs with several commands decide by that name which one
 * they are, and those that look for their siblings follow the link.
 */
export class CommandLinks {
  readonly #folder: string;
  readonly #made = new Map<string, Promise<string>>();

  /** @param folder made at the first link, removed with {@link remove} */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Path of the link of a command to a program. */
  get(command: string, program: string): Promise<string> {
    const name = `${command}\0${program}`;
    let made = this.#made.get(name);
    if (!made) {
      made = this.#make(command, program);
      this.#made.set(name, made);
      made.catch(() => this.#made.delete(name));
    }
    return made;
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #make(command: string, program: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, linkName(command, program, process.platform));
    await rm(path, { force: true });
    // Windows lets only developers make symbolic links.
    if (process.platform === "win32") await symlink(program, path).catch(() => link(program, path));
    else await symlink(program, path);
    return path;
  }
}

/** Windows tells by the ending what a file is, so that a link has that of its program. */
export function linkName(command: string, program: string, platform: NodeJS.Platform): string {
  return `fledge-${command}${platform === "win32" ? win32.extname(program) : ""}`;
}
