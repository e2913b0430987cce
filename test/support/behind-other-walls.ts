import { run } from "../../src/cli/program.ts";
import { chooseBackend } from "../../src/main/platform/walls/other-systems/backend.ts";

/** `patchbay` with the walls of other systems, which no setting of the real one chooses on Linux. */
chooseBackend("sandbox-runtime");
process.exitCode = await run(process.argv.slice(2));
