import { link, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";

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
    const path = join(this.#folder, `fledge-${command}${process.platform === "win32" ? ".exe" : ""}`);
    await rm(path, { force: true });
    // Windows lets only developers make symbolic links.
    if (process.platform === "win32") await symlink(program, path).catch(() => link(program, path));
    else await symlink(program, path);
    return path;
  }
}
