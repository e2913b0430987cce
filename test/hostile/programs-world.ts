import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Grants } from "../../src/contract/index.ts";
import { Program } from "../../src/main/platform/program.ts";
import { publicJudge } from "../../src/main/platform/walls/network/public-judge.ts";
import type { Attempt, NetworkJudge } from "../../src/main/platform/walls/wall.ts";
import type { PluginWalls } from "../../src/main/runtimes/runtime.ts";
import { wallOf } from "../../src/main/runtimes/wall-of.ts";

/** What a command did behind a wall, and what the person sees of it. */
export interface Seen {
  code: number | null;
  signal: string | null;
  text: string;
  refused: Attempt[];
}

export interface RunOptions {
  grants?: Partial<Grants>;
  judge?: NetworkJudge;
  cwd?: string;
  env?: Record<string, string>;
}

/** A script of a plugin behind the walls of what it was granted, in folders like those of Patchbay. */
export class ProgramsWorld implements AsyncDisposable {
  readonly root: string;
  /** Patchbay's own folder. */
  readonly home: string;
  readonly dir: string;
  readonly workspace: string;

  static async open(): Promise<ProgramsWorld> {
    const root = await realpath(await mkdtemp(join(tmpdir(), "patchbay-programs-")));
    const world = new ProgramsWorld(root);
    for (const folder of [world.dir, world.workspace]) await mkdir(folder, { recursive: true });
    return world;
  }

  private constructor(root: string) {
    this.root = root;
    this.home = join(root, "home");
    this.dir = join(this.home, "plugins", "crook");
    this.workspace = join(this.home, "agents", "ada", "workspace");
  }

  /** Runs a shell script as a fledge plugin with these grants: the workspace and all programs, when nothing else is said. */
  async run(
    script: string,
    { grants, judge = publicJudge(), env = {}, cwd }: RunOptions = {},
  ): Promise<Seen> {
    const refused: Attempt[] = [];
    const walls: PluginWalls = {
      grants: {
        network: { reach: "hosts", hosts: [], refused: [] },
        files: { workspace: "write", folders: [] },
        programs: { reach: "any", names: [] },
        ...grants,
      },
      judge,
      refused: (attempt) => void refused.push(attempt),
    };
    const program = new Program({
      file: "/bin/bash",
      args: ["-c", script],
      cwd: cwd ?? this.workspace,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: process.env.HOME ?? "/", ...env },
      input: false,
      wall: wallOf({ walls, dir: this.dir, workspace: this.workspace, root: this.home }),
    });
    let text = "";
    const add = (chunk: Buffer) => {
      text += chunk.toString("utf8");
    };
    program.stdout.on("data", add);
    program.stderr.on("data", add);
    const { code, signal } = await program.ended;
    return { code, signal, text, refused };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
