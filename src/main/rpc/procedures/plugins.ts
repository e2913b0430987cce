import { type Catalog, type InstallJobs, screenshotOf } from "../../catalog/index.ts";
import type { Checks } from "../../pool/check/checks.ts";
import type { PluginRegistry } from "../../registry/index.ts";
import type { Pins } from "../../registry/pins/pins.ts";
import type { BroughtServers } from "../../runtimes/mcp/import/brought-servers.ts";
import type { LoadChecks } from "../../views/load-checks.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";

export interface PluginNeeds {
  catalog: Pick<Catalog, "found" | "given">;
  jobs: Pick<InstallJobs, "update" | "rollback" | "uninstall" | "addPackages">;
  registry: Pick<PluginRegistry, "list" | "get">;
  views: Pick<Views, "plugin" | "pluginByKey">;
  loadChecks: Pick<LoadChecks, "check" | "checkAll">;
  brought: Pick<BroughtServers, "given">;
  pins: Pick<Pins, "review" | "decide" | "offered">;
  checks: Pick<Checks, "check" | "waitLonger">;
}

export function pluginProcedures(needs: PluginNeeds) {
  const { catalog, jobs, registry, views, loadChecks, pins, brought, checks } = needs;
  const { plugins } = procedures;
  return {
    list: plugins.list.handler(async () => {
      await loadChecks.checkAll();
      return registry.list().map((plugin) => views.plugin(plugin));
    }),
    given: plugins.given.handler(async ({ input }) => catalog.given(await brought.given(input.text))),
    found: plugins.found.handler(({ signal }) => catalog.found(signal)),
    get: plugins.get.handler(async ({ input }) => {
      const plugin = registry.get(input.key);
      if (plugin) await loadChecks.check(plugin);
      return views.pluginByKey(input.key);
    }),
    update: plugins.update.handler(({ input: { key, ...options } }) => jobs.update(key, options)),
    rollback: plugins.rollback.handler(({ input: { key, ...answers } }) => jobs.rollback(key, answers)),
    installPackages: plugins.installPackages.handler(({ input: { key, packages } }) =>
      jobs.addPackages(key, packages),
    ),
    review: plugins.review.handler(({ input }) => pins.review(input.key)),
    decideReview: plugins.decideReview.handler(async ({ input: { key, verdicts } }) => {
      await pins.decide(key, verdicts);
      return pins.review(key);
    }),
    offered: plugins.offered.handler(({ input }) => pins.offered(input.key)),
    check: plugins.check.handler(async ({ input }) => {
      await checks.check(views.pluginByKey(input.key));
      return views.pluginByKey(input.key);
    }),
    waitLonger: plugins.waitLonger.handler(({ input }) => {
      checks.waitLonger(input.key, input.most);
      return views.pluginByKey(input.key);
    }),
    screenshot: plugins.screenshot.handler(async ({ input: { key, number } }) => ({
      picture: await screenshotOf(registry.get(key), number),
    })),
    uninstall: plugins.uninstall.handler(async ({ input }) => {
      await jobs.uninstall(input.key);
      return done;
    }),
  };
}
