import { link, mkdir, rm, symlink } from "node:fs/promises";
import { join, win32 } from "node:path";

/**
 * Makes links named `fledge-<command>` to a plugin's programs. A program with several commands reads from its own name
 * which command was called; a program that needs the files beside it follows the link.
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

/**
 * The file name of a link. Windows knows programs by their file ending, so there the link gets the ending of its
 * program.
 */
export function linkName(command: string, program: string, platform: NodeJS.Platform): string {
  return `fledge-${command}${platform === "win32" ? win32.extname(program) : ""}`;
}
