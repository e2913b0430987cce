import type { Registrar } from "../registrar.ts";
import { install as files } from "./files.ts";
import { install as machine } from "./machine.ts";
import { install as net } from "./net/net.ts";
import { install as paths } from "./paths.ts";
import { install as permissions } from "./permissions.ts";
import { install as process } from "./process.ts";
import { install as streams } from "./streams.ts";
import { install as time } from "./time.ts";

/** The machine library: files, programs, the network, time and the environment. */
export function install(core: Registrar): void {
  files(core);
  machine(core);
  paths(core);
  permissions(core);
  time(core);
  streams(core);
  process(core);
  net(core);
}
