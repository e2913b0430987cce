import { EventEmitter } from "node:events";
import { join } from "node:path";
import {
  PatchbayError,
  type Problem,
  type Settings,
  type SettingsPatch,
  settingsSchema,
} from "../../contract/index.ts";
import { openStateFile, type StateFile } from "../store/index.ts";

/** What applies until the person changes it. Times in milliseconds. */
export const defaultSettings: Settings = {
  theme: "system",
  language: "system",
  registry: null,
  catalogUrls: [],
  limits: {
    inspectMs: 10_000,
    startMs: 20_000,
    stopMs: 5_000,
    hookMs: 2_000,
    toolMs: 120_000,
    drainMs: 5_000,
    approvalMs: 120_000,
    dialogMs: 120_000,
  },
  hostMemoryMb: 256,
  welcomeClosed: false,
  revision: 0,
};

export interface SettingsStoreOptions {
  home: string;
  onNotice(problem: Problem): void;
}

/** The settings of the app: `<home>/settings.json`. */
export class SettingsStore {
  readonly changes = new EventEmitter<{ settings: [settings: Settings] }>();
  readonly #file: StateFile<Settings>;

  constructor(options: SettingsStoreOptions) {
    this.#file = openStateFile<Settings>({
      path: join(options.home, "settings.json"),
      schema: settingsSchema,
      version: 2,
      migrations: { 1: (old) => ({ ...(old as object), language: "system" }) },
      initial: () => structuredClone(defaultSettings),
      onNotice: options.onNotice,
    });
  }

  get(): Settings {
    return this.#file.get();
  }

  /** Kept when it resolves. @throws PatchbayError STALE_REVISION with `details: {yours, current}`, DISK_FULL, WRITE_FAILED */
  async update(patch: SettingsPatch): Promise<Settings> {
    const current = this.#file.get();
    if (patch.revision !== undefined && patch.revision !== current.revision) {
      throw new PatchbayError("STALE_REVISION", "The settings were saved by somebody else in the meantime.", {
        details: { yours: patch, current },
      });
    }
    const { limits, revision: _, ...rest } = patch;
    const settings = this.#file.update(() => ({
      ...current,
      ...defined(rest),
      limits: { ...current.limits, ...defined(limits ?? {}) },
      revision: current.revision + 1,
    }));
    this.changes.emit("settings", settings);
    return settings;
  }

  async close(): Promise<void> {
    this.#file.close();
    this.changes.removeAllListeners();
  }
}

function defined<P extends object>(patch: P): Partial<P> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<P>;
}
