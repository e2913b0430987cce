import type { Command } from "commander";
import type { Perform } from "../command.ts";
import { addDirgeImport } from "../import/dirge.ts";
import { addFledgeImport } from "../import/fledge.ts";
import { addFlowlyImport } from "../import/flowly.ts";
import { addMcpImport } from "../import/mcp.ts";
import { addOpenHermitImport } from "../import/openhermit.ts";

/** Taking over what another tool has installed: `patchbay import fledge | flowly | dirge | mcp | openhermit`. */
export function addImportCommands(program: Command, perform: Perform): void {
  const command = program.command("import").description("install what another tool has installed");
  addFledgeImport(command, perform);
  addFlowlyImport(command, perform);
  addDirgeImport(command, perform);
  addMcpImport(command, perform);
  addOpenHermitImport(command, perform);
}
