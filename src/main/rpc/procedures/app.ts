import type { AppInfo, Snapshot } from "../../../contract/index.ts";
import { machineRegistry } from "../../catalog/index.ts";
import { type DoctorSources, diagnose } from "../../diagnostics/doctor.ts";
import type { MachineWalls } from "../../permissions/machine-walls.ts";
import type { Platform } from "../../platform/platform.ts";
import type { SettingsStore } from "../../registry/index.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";
import type { Places, Storage } from "../../store/index.ts";
import type { AppEvents } from "../../views/app-events.ts";
import { type AppEntities, listAll } from "../../views/entities.ts";
import type { Notices } from "../../views/notices.ts";
import { type AppValues, readValues, type VaultSources, vaultStatus } from "../../views/values.ts";
import { done, procedures } from "../implementer.ts";

interface InfoNeeds extends VaultSources {
  platform: VaultSources["platform"] & Pick<Platform, "version" | "shell">;
  settings: Pick<SettingsStore, "get">;
  places: Pick<Places, "root">;
  startedAt: string;
  runtimes: readonly Pick<PluginRuntime, "id" | "displayName">[];
}

/** What a snapshot is read from. A screen starts with a snapshot. */
interface SnapshotNeeds extends InfoNeeds {
  events: Pick<AppEvents, "epoch" | "seq">;
  entities: AppEntities;
  values: AppValues;
}

export interface AppNeeds extends SnapshotNeeds {
  /** What the doctor looks at. */
  checked: DoctorSources;
  events: Pick<AppEvents, "epoch" | "seq" | "follow">;
  settings: Pick<SettingsStore, "get" | "update">;
  storage: Pick<Storage, "usedSpace">;
  notices: Pick<Notices, "dismiss">;
  walls: Pick<MachineWalls, "look">;
}

export function appProcedures(needs: AppNeeds) {
  const { events, settings, notices, storage, checked } = needs;
  const { app } = procedures;
  return {
    info: app.info.handler(() => appInfo(needs)),
    ping: app.ping.handler(() => done),
    snapshot: app.snapshot.handler(() => takeSnapshot(needs)),
    events: app.events.handler(({ input, signal }) => events.follow(input, signal)),
    settings: app.settings.handler(() => settings.get()),
    updateSettings: app.updateSettings.handler(({ input }) => settings.update(input)),
    lookForWalls: app.lookForWalls.handler(() => needs.walls.look()),
    dismissNotice: app.dismissNotice.handler(({ input }) => {
      notices.dismiss(input.id);
      return done;
    }),
    doctor: app.doctor.handler(() => diagnose(checked)),
    usedSpace: app.usedSpace.handler(({ signal }) => storage.usedSpace(signal)),
  };
}

async function appInfo({
  platform,
  places,
  vault,
  settings,
  startedAt,
  runtimes,
}: InfoNeeds): Promise<AppInfo> {
  const machine = await machineRegistry();
  return {
    version: platform.version,
    folder: places.root,
    shell: platform.shell,
    node: process.version,
    platform: process.platform,
    vault: vaultStatus({ vault, platform }),
    defaultRegistry: settings.get().registry ?? machine,
    machineRegistry: machine,
    runtimes: runtimes.map(({ id, displayName }) => ({ id, displayName })),
    startedAt,
  };
}

async function takeSnapshot(needs: SnapshotNeeds): Promise<Snapshot> {
  const { vault: _vault, ...info } = await appInfo(needs);
  const { events, entities, values } = needs;
  // No `await` from here on, so that `seq` and all that is listed belong to the same moment.
  return {
    epoch: events.epoch,
    seq: events.seq,
    info,
    ...readValues(values),
    ...listAll(entities),
  };
}
