import { publicJudge } from "../../platform/walls/network/public-judge.ts";
import { Scratch } from "../../platform/walls/scratch/scratch.ts";
import { wallReport } from "../../platform/walls/start.ts";
import type { Attempt, Wall } from "../../platform/walls/wall.ts";
import type { PluginWalls } from "../runtime.ts";
import { startFolder, wallOf } from "../wall-of.ts";
import type { OwnFolder } from "./own-folder/own-folder.ts";

/** What a program of a plugin is started behind. */
export interface Cell {
  wall?: Wall | undefined;
  scratch?: Scratch | undefined;
}

interface CellsNeeds {
  walls: PluginWalls;
  dir: string;
  workspace: string;
  root: string;
  /** Folder of the links to its programs. */
  linkDir: string;
  /** Folder of its own data, which its WebAssembly modules see. */
  dataDir: string;
  /** What its programs see of its folder. */
  ownFolder(): OwnFolder;
}

/**
 * The walls around the programs of one instance. A call starts a process, so what a process needs besides its walls, a home
 * folder among it, is made once and used by all of them.
 */
export class Cells {
  /** Where its programs begin. */
  readonly cwd: string;
  readonly #wall: Wall;
  readonly #workspace: string;
  readonly #dataDir: string;
  readonly #ownFolder: () => OwnFolder;
  #scratch: Scratch | undefined;

  constructor(needs: CellsNeeds) {
    const wall = wallOf(needs);
    this.cwd = startFolder(needs);
    this.#workspace = needs.walls.grants.files.workspace === "none" ? "" : needs.workspace;
    this.#dataDir = needs.dataDir;
    this.#ownFolder = () => needs.ownFolder();
    this.#wall = { ...wall, read: [...wall.read, needs.linkDir] };
  }

  /** For a program of the plugin. One that may start no others sees what runs itself. */
  of(program: string): Cell {
    const { programs } = this.#wall;
    const own = { named: [...(typeof programs === "object" ? programs.named : []), program] };
    return this.#cell({ ...this.#wall, ...this.#shown, programs: programs === "any" ? programs : own });
  }

  /** For a command that Patchbay runs for the plugin. */
  get exec(): Cell {
    const { programs } = this.#wall;
    const shell = { named: [...(typeof programs === "object" ? programs.named : []), "/bin/sh"] };
    return this.#cell({ ...this.#wall, ...this.#shown, programs: programs === "any" ? programs : shell });
  }

  /** For git, which says what the workspace is: a plugin that can write there can also write what git starts. */
  get git(): Cell {
    const read = this.#workspace === "" ? [] : [this.#workspace];
    const { hidden, refused } = this.#wall;
    return this.#cell({ read, write: [], hidden, programs: { named: ["git"] }, ...(refused && { refused }) });
  }

  /** For what runs a WebAssembly module: what is mounted for it, no programs and no network. */
  module({ read, write }: Pick<Wall, "read" | "write">): Cell {
    const { hidden, refused } = this.#wall;
    return this.#cell({ read, write, hidden, programs: "none", ...(refused && { refused }) });
  }

  close(): void {
    this.#scratch?.remove();
    this.#scratch = undefined;
  }

  get #shown(): Pick<Wall, "shown"> {
    return { shown: this.#ownFolder().shown };
  }

  #cell(wall: Wall): Cell {
    const { hidden, read, write } = this.#wall;
    if (wallReport().stands)
      this.#scratch ??= new Scratch({ hidden, read, write: [...write, this.#dataDir] });
    return { wall, scratch: this.#scratch };
  }
}

/**
 * For scripts that build or remove a plugin. They write in its folder alone, and reach the public internet, because builds
 * fetch what they need.
 */
export function buildCell(dir: string, root: string, log: (text: string) => void): Cell {
  const refused = ({ wall, target }: Attempt) => log(`Refused (${wall}): it wanted ${target}.`);
  return {
    wall: { read: [], write: [dir], hidden: [root], programs: "any", network: publicJudge(), refused },
  };
}
