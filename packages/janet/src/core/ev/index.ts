import type { Registrar } from "../registrar.ts";
import { install as channels } from "./channels.ts";
import { install as locks } from "./locks.ts";
import { install as tasks } from "./tasks.ts";
import { install as threads } from "./threads.ts";

/** The event library: tasks, channels and locks. */
export function install(core: Registrar): void {
  channels(core);
  tasks(core);
  locks(core);
  threads(core);
}
