import { type EventEmitter, on } from "node:events";
import { type Job, toProblem } from "../../../contract/index.ts";
import type { Catalog, InstallJobs, RegistryIcons, Uploads } from "../../catalog/index.ts";
import { withNamedSpec } from "../../catalog/mcp/given-spec.ts";
import type { BroughtServers } from "../../runtimes/mcp/import/brought-servers.ts";
import { done, procedures } from "../implementer.ts";

export interface CatalogNeeds {
  catalog: Pick<Catalog, "check" | "search" | "details">;
  icons: Pick<RegistryIcons, "of">;
}

export function catalogProcedures({ catalog, icons }: CatalogNeeds) {
  return {
    check: procedures.catalog.check.handler(async ({ input: { kind, url } }) => {
      try {
        return { ok: true as const, ...(await catalog.check(kind, url)) };
      } catch (error) {
        return { ok: false as const, problem: toProblem(error) };
      }
    }),
    icon: procedures.catalog.icon.handler(async ({ input }) => ({ icon: await icons.of(input.packageName) })),
    search: procedures.catalog.search.handler(({ input }) =>
      catalog.search(input.query, input.registry, input.scope, input.wait === "yes"),
    ),
    details: procedures.catalog.details.handler(({ input }) =>
      catalog.details(input.packageName, input.registry),
    ),
  };
}

type WatchedJobs = Pick<InstallJobs, "get" | "changes">;

export interface JobNeeds {
  jobs: WatchedJobs & Pick<InstallJobs, "list" | "install" | "consent" | "cancel" | "retry" | "remove">;
  uploads: Pick<Uploads, "install">;
  brought: Pick<BroughtServers, "given">;
}

export function jobProcedures({ jobs, uploads, brought }: JobNeeds) {
  const area = procedures.jobs;
  return {
    list: area.list.handler(() => jobs.list()),
    get: area.get.handler(({ input }) => jobs.get(input.id)),
    install: area.install.handler(async ({ input }) => jobs.install(await withNamedSpec(input, brought))),
    upload: area.upload.handler(({ input }) => uploads.install(input.file)),
    consent: area.consent.handler(({ input: { id, ...answer } }) => jobs.consent(id, answer)),
    cancel: area.cancel.handler(({ input }) => jobs.cancel(input.id)),
    retry: area.retry.handler(({ input }) => jobs.retry(input.id, input.key)),
    remove: area.remove.handler(async ({ input }) => {
      await jobs.remove(input.id);
      return done;
    }),
    watch: area.watch.handler(({ input, signal }) => watchJob(jobs, input.id, signal)),
  };
}

/** The job now and at each change, to its end. */
async function* watchJob(
  jobs: WatchedJobs,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Job, void> {
  const job = jobs.get(id);
  const changes = on(jobs.changes as EventEmitter, "job", { signal });
  try {
    yield job;
    if (job.endedAt !== null) return;
    for await (const [changed] of changes as AsyncIterable<[Job]>) {
      if (changed.id !== id) continue;
      yield changed;
      if (changed.endedAt !== null) return;
    }
  } finally {
    await changes.return?.();
  }
}
