import { constants } from "node:os";
import type { HostExit } from "../platform.ts";
import { doorName, NetworkDoor } from "./door.ts";
import { bubblewrap } from "./probe.ts";
import { doorFolder, Scratch } from "./scratch.ts";
import type { NetworkJudge, Wall } from "./wall.ts";
import { type Command, wrapped } from "./wrap.ts";

/** Milliseconds between two looks at what the wall keeps watch over. */
const LOOK_MS = 1_000;

/** Environment variable with the path of the socket at which a walled process asks for a way to the network. */
const doorVariable = "PATCHBAY_DOOR";

const nobody: NetworkJudge = {
  decide: async () => ({ allowed: false, why: "There is no network here." }),
};

/** What belongs to one process behind a wall, from before its start until after its end. */
export class WalledProcess {
  readonly #wall: Wall;
  readonly #scratch: Scratch | undefined;
  readonly #door: NetworkDoor | undefined;
  readonly #watch: NodeJS.Timeout | undefined;
  #overfull: () => void = () => {};
  #measuring = false;

  constructor(wall: Wall) {
    this.#wall = wall;
    if (bubblewrap().file === null) return;
    this.#scratch = new Scratch(wall);
    this.#door = new NetworkDoor(this.#scratch.door, wall.network ?? nobody, (attempt) =>
      wall.refused?.(attempt),
    );
    this.#watch = setInterval(() => {
      this.#look();
      void this.#measure();
    }, LOOK_MS);
    this.#watch.unref();
  }

  /** The command that starts it behind the wall. `needs`: files that it cannot start without. */
  wrap(command: Command, needs: readonly string[]): Command {
    if (!this.#scratch) return command;
    const env = { ...command.env, [doorVariable]: `${doorFolder}/${doorName}` };
    return wrapped({ ...command, env }, this.#wall, this.#scratch, needs);
  }

  /** bubblewrap tells of a signal that ended the process by an exit code of 128 and more, as shells do. */
  exitOf(exit: HostExit): HostExit {
    const number = exit.code === null || !this.#scratch ? 0 : exit.code - 128;
    const signal = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
    return signal === undefined ? exit : { ...exit, code: null, signal };
  }

  /** Calls back when the process fills its home folder, which is on the disk of this computer. It should be ended then. */
  onOverfull(listener: () => void): void {
    this.#overfull = listener;
  }

  /** Looks for a last time, and removes what was made for it. To be called when the process is gone. */
  end(): void {
    clearInterval(this.#watch);
    this.#look();
    this.#door?.close();
    this.#scratch?.remove();
  }

  #look(): void {
    for (const target of this.#scratch?.touched() ?? []) {
      this.#wall.refused?.({ wall: "files", target, seenBy: "wall" });
    }
  }

  async #measure(): Promise<void> {
    if (this.#measuring) return;
    this.#measuring = true;
    const full = await this.#scratch?.overfull();
    this.#measuring = false;
    if (!full) return;
    this.#wall.refused?.({ wall: "files", target: `${full}, more than fits there`, seenBy: "wall" });
    this.#overfull();
  }
}
