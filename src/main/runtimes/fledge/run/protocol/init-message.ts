import type { RunRequest } from "../run-request.ts";
import type { Project } from "./project.ts";

/**
 * The first line to a plugin, compact, keys in fledge's order: there are plugins that read it by substring, so
 * `"name":"` must be that of the project when it is met first. `command` is Merlin's addition.
 */
export function initMessage(request: RunRequest, project: Project): string {
  const { plugin, command, argv, grants, hostVersion } = request;
  return JSON.stringify({
    type: "init",
    protocol: "fledge-v1",
    command: command.name,
    args: argv,
    project,
    plugin: { name: plugin.name, version: plugin.version, dir: plugin.dir },
    fledge: { version: hostVersion },
    capabilities: {
      exec: grants.exec,
      store: grants.store,
      metadata: grants.metadata,
      ...(grants.filesystem !== "none" && { filesystem: grants.filesystem }),
      ...(grants.network && { network: true }),
    },
  });
}
