import {
  type FSWatcher,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

type OnSecond = (argv: string[], directory: string) => void;

/** A folder with the owner's process id in it; whoever comes second leaves its arguments there as a file. */
export class SingleInstanceLock {
  /** Undefined when another living process owns the folder; it has been told of this start then. */
  static acquire(folder: string, onSecond: OnSecond): SingleInstanceLock | undefined {
    mkdirSync(folder, { recursive: true });
    const owner = join(folder, "owner");
    for (;;) {
      try {
        writeFileSync(owner, String(process.pid), { flag: "wx" });
        return new SingleInstanceLock(folder, onSecond);
      } catch {
        if (isAlive(Number(readFileSync(owner, "utf8")))) break;
        rmSync(owner, { force: true });
      }
    }
    const request = join(folder, `${process.pid}.json`);
    writeFileSync(`${request}.tmp`, JSON.stringify({ argv: process.argv, directory: process.cwd() }));
    renameSync(`${request}.tmp`, request);
    return undefined;
  }

  readonly #folder: string;
  readonly #watcher: FSWatcher;

  private constructor(folder: string, onSecond: OnSecond) {
    this.#folder = folder;
    this.#watcher = watch(folder, () => this.#takeRequests(onSecond));
  }

  release(): void {
    this.#watcher.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #takeRequests(onSecond: OnSecond): void {
    for (const name of readdirSync(this.#folder).filter((each) => each.endsWith(".json"))) {
      const path = join(this.#folder, name);
      const { argv, directory } = JSON.parse(readFileSync(path, "utf8")) as {
        argv: string[];
        directory: string;
      };
      rmSync(path);
      onSecond(argv, directory);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
