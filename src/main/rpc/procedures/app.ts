import type { AppInfo, Snapshot } from "../../../contract/index.ts";
import { machineRegistry } from "../../catalog/index.ts";
import { diagnose } from "../../diagnostics/doctor.ts";
import { listAll } from "../../views/entities.ts";
import { readValues, vaultStatus } from "../../views/values.ts";
import { done, procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

/** The services that a snapshot is read from. A screen starts with a snapshot. */
type SnapshotNeeds = Needs<
  "platform" | "places" | "vault" | "settings" | "startedAt" | "runtimes" | "events" | "entities" | "values"
>;

export function appProcedures(
  services: SnapshotNeeds & Needs<"storage" | "notices" | "registry" | "loadChecks">,
) {
  const { app } = procedures;
  return {
    info: app.info.handler(() => appInfo(services)),
    ping: app.ping.handler(() => done),
    snapshot: app.snapshot.handler(() => takeSnapshot(services)),
    events: app.events.handler(({ input, signal }) => services.events.follow(input, signal)),
    settings: app.settings.handler(() => services.settings.get()),
    updateSettings: app.updateSettings.handler(({ input }) => services.settings.update(input)),
    dismissNotice: app.dismissNotice.handler(({ input }) => {
      services.notices.dismiss(input.id);
      return done;
    }),
    doctor: app.doctor.handler(() => diagnose(services)),
    usedSpace: app.usedSpace.handler(({ signal }) => services.storage.usedSpace(signal)),
  };
}

async function appInfo({
  platform,
  places,
  vault,
  settings,
  startedAt,
  runtimes,
}: Needs<"platform" | "places" | "vault" | "settings" | "startedAt" | "runtimes">): Promise<AppInfo> {
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

async function takeSnapshot(services: SnapshotNeeds): Promise<Snapshot> {
  const { vault: _vault, ...info } = await appInfo(services);
  const { events, entities, values } = services;
  // No `await` from here on, so that `seq` and all that is listed belong to the same moment.
  return {
    epoch: events.epoch,
    seq: events.seq,
    info,
    ...readValues(values),
    ...listAll(entities),
  };
}
