import type { Artifact } from "../../contract/index.ts";
import type { Inspection } from "../../main/runtimes/inspection.ts";
import type { HostServices, StartRequest } from "../../main/runtimes/runtime.ts";

/** A start of a server that nobody installed: everything that it asks for is granted. */
export function startRequestFor(
  artifact: Artifact,
  inspection: Inspection,
  { workspace, timeoutMs, services }: { workspace: string; timeoutMs: number; services: HostServices },
): StartRequest {
  const { manifestKey, packageName, packageVersion, displayName, description } = inspection;
  const { capabilities, declaration, consent } = inspection;
  const now = new Date().toISOString();
  return {
    agentId: "driver",
    plugin: {
      id: `plugin-${manifestKey}`,
      packageName,
      packageVersion,
      manifestKey,
      runtime: "mcp",
      trust: "local",
      displayName,
      description,
      capabilities,
      declaration,
      consent,
      artifact,
      source: { kind: "folder", spec: manifestKey, integrity: null, treeHash: null, installedAt: now },
      warnings: [],
      scriptsAllowed: false,
      previous: [],
      createdAt: now,
      updatedAt: now,
    },
    config: {},
    secrets: {},
    workspace,
    services,
    walls: {
      grants: {
        network: { reach: "any", hosts: [], refused: [] },
        files: { workspace: "write", folders: [] },
        programs: { reach: "none", names: [] },
      },
      judge: { decide: async () => ({ allowed: true }) },
      refused: () => {},
    },
    limits: {
      inspectMs: timeoutMs,
      startMs: timeoutMs,
      stopMs: timeoutMs,
      hookMs: timeoutMs,
      toolMs: timeoutMs,
      drainMs: 0,
      approvalMs: timeoutMs,
      dialogMs: timeoutMs,
    },
    memoryMb: 512,
  };
}
