import { EventEmitter } from "node:events";
import type { Problem, WallReport } from "../../contract/index.ts";
import type { Platform } from "../platform/platform.ts";
import type { SettingsStore } from "../registry/index.ts";

export interface MachineWallsOptions {
  platform: Pick<Platform, "walls" | "forgetWalls" | "wallEvents">;
  settings: Pick<SettingsStore, "get" | "changes">;
  audit: { record(event: { kind: string; [detail: string]: unknown }): unknown };
  onNotice(problem: Problem): void;
}

/** Which walls stand on this machine, and whether the person runs plugins where none does. */
export class MachineWalls {
  /** `walls`: another wall stands than before, or the person decided otherwise. */
  readonly changes = new EventEmitter<{ walls: [] }>();
  readonly #options: MachineWallsOptions;
  #unwalled: boolean;
  readonly #settingsChanged = () => this.#decided();
  readonly #reportChanged = () => void this.changes.emit("walls");
  readonly #watcherLost = () => {
    this.#options.audit.record({ kind: "walls.watcher_lost" });
    this.#options.onNotice(watcherLost);
  };

  constructor(options: MachineWallsOptions) {
    this.#options = options;
    this.#unwalled = options.settings.get().unwalled;
    options.settings.changes.on("settings", this.#settingsChanged);
    options.platform.wallEvents.on("report", this.#reportChanged);
    options.platform.wallEvents.on("watcherLost", this.#watcherLost);
  }

  report(): WallReport {
    return this.#options.platform.walls();
  }

  /** Looks anew: something may have been installed meanwhile. */
  look(): WallReport {
    const before = JSON.stringify(this.report());
    this.#options.platform.forgetWalls();
    const now = this.report();
    if (JSON.stringify(now) !== before) this.changes.emit("walls");
    return now;
  }

  /** A text that changes when plugins have to be started again, because other walls hold them. */
  state(): string {
    if (this.report().stands) return "walled";
    return this.#options.settings.get().unwalled ? "unwalled" : "missing";
  }

  close(): void {
    const { settings, platform } = this.#options;
    settings.changes.off("settings", this.#settingsChanged);
    platform.wallEvents.off("report", this.#reportChanged);
    platform.wallEvents.off("watcherLost", this.#watcherLost);
    this.changes.removeAllListeners();
  }

  #decided(): void {
    const { unwalled } = this.#options.settings.get();
    if (unwalled === this.#unwalled) return;
    this.#unwalled = unwalled;
    this.#options.audit.record({ kind: unwalled ? "walls.waived" : "walls.required" });
    this.changes.emit("walls");
  }
}

const watcherLost: Problem = {
  code: "WATCHER_LOST",
  message:
    "The program with which Patchbay sees what plugins try has ended, though Patchbay had not ended it.",
  help: "What it watched was ended with it: plugins start again by themselves, watched by a new one. Programs that they had started have to be started again.",
};
