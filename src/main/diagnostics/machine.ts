import { arch, cpus, freemem, loadavg, release, totalmem, version } from "node:os";
import type { DiagnosticsSources } from "./sources.ts";

/** The version of Patchbay, and of the system, Node and Electron under it. */
export function versions({ platform, places, startedAt, vault }: DiagnosticsSources) {
  const { backend, open } = vault.status();
  return {
    patchbay: platform.version,
    shell: platform.shell,
    startedAt,
    folder: places.root,
    node: process.version,
    electron: process.versions.electron ?? null,
    v8: process.versions.v8,
    system: { platform: process.platform, arch: arch(), release: release(), version: version() },
    locale: Intl.DateTimeFormat().resolvedOptions().locale,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    vault: { backend, open },
    // Only the names of these variables: that one is set can explain a problem, and its value may be private.
    environment: Object.keys(process.env)
      .filter((name) =>
        /^(?:PATCHBAY_|NODE_|ELECTRON_|npm_config_|https?_proxy|no_proxy|all_proxy)/i.test(name),
      )
      .sort(),
  };
}

/** What Patchbay itself and the processes of its plugins take. Bytes, and times in milliseconds. */
export function ownProcess({ agents, agentPlugins, pool }: DiagnosticsSources) {
  const { user, system } = process.cpuUsage();
  const resources = Object.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  const hosts = agents.list().flatMap(({ id }) =>
    agentPlugins.list(id).flatMap(({ pluginKey }) => {
      const { pid, memoryBytes, state, startMs, restarts, calls } = pool.view(id, pluginKey);
      return pid === null
        ? []
        : [{ agentId: id, pluginKey, pid, memoryBytes, state, startMs, restarts, calls }];
    }),
  );
  return {
    pid: process.pid,
    upMs: Math.round(process.uptime() * 1_000),
    cpuMs: { user: Math.round(user / 1_000), system: Math.round(system / 1_000) },
    memory: process.memoryUsage(),
    open: Object.fromEntries(Object.entries(resources).map(([kind, list]) => [kind, list?.length ?? 0])),
    hosts,
    machine: {
      cpus: cpus().length,
      cpu: cpus()[0]?.model ?? null,
      totalBytes: totalmem(),
      freeBytes: freemem(),
      load: loadavg(),
    },
  };
}
