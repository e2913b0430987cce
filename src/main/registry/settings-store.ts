import { EventEmitter } from "node:events";
import { PatchbayError, type Settings, type SettingsPatch, settingsSchema } from "../../contract/index.ts";
import { type Collection, only, type Rows, type Storage } from "../store/index.ts";

/** The settings that apply until the person changes them. Times in milliseconds, memory in MiB. */
export const defaultSettings: Settings = {
  theme: "system",
  language: "system",
  registry: null,
  catalogUrls: [],
  mcpRegistry: null,
  clientMetadataUrl: null,
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
  unwalled: false,
  python: null,
  languageServers: [],
  keys: {},
  otlp: null,
  revision: 0,
};

const collection: Collection<Settings> = {
  name: "settings",
  schema: settingsSchema,
  version: 2,
  migrations: { 1: (old) => ({ ...(old as object), language: "system" }) },
};

/** The settings of the app. */
export class SettingsStore {
  readonly changes = new EventEmitter<{ settings: [settings: Settings] }>();
  readonly #rows: Rows<Settings>;

  constructor({ storage }: { storage: Pick<Storage, "rows"> }) {
    this.#rows = storage.rows(collection);
  }

  get(): Settings {
    return this.#rows.get(only) ?? defaultSettings;
  }

  /**
   * Changes the fields that the patch names; on disk when the promise resolves.
   * @throws PatchbayError STALE_REVISION with `details: {yours, current}`, DISK_FULL, WRITE_FAILED
   */
  async update(patch: SettingsPatch): Promise<Settings> {
    await this.#rows.change(only, (stored) => changed(stored ?? defaultSettings, patch));
    const settings = this.get();
    this.changes.emit("settings", settings);
    return settings;
  }

  async close(): Promise<void> {
    await this.#rows.close();
    this.changes.removeAllListeners();
  }
}

function changed(current: Settings, patch: SettingsPatch): Settings {
  if (patch.revision !== undefined && patch.revision !== current.revision) {
    throw new PatchbayError("STALE_REVISION", "The settings were saved by somebody else in the meantime.", {
      details: { yours: patch, current },
    });
  }
  const { limits, revision: _, ...rest } = patch;
  return {
    ...current,
    ...defined(rest),
    limits: { ...current.limits, ...defined(limits ?? {}) },
    revision: current.revision + 1,
  };
}

function defined<P extends object>(patch: P): Partial<P> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<P>;
}
