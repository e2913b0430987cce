import { done, procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

export function pluginProcedures({
  jobs,
  registry,
  views,
  loadChecks,
}: Needs<"jobs" | "registry" | "views" | "loadChecks">) {
  const { plugins } = procedures;
  return {
    list: plugins.list.handler(async () => {
      await loadChecks.checkAll();
      return registry.list().map((plugin) => views.plugin(plugin));
    }),
    get: plugins.get.handler(async ({ input }) => {
      const plugin = registry.get(input.key);
      if (plugin) await loadChecks.check(plugin);
      return views.pluginByKey(input.key);
    }),
    update: plugins.update.handler(({ input: { key, ...options } }) => jobs.update(key, options)),
    rollback: plugins.rollback.handler(({ input }) => jobs.rollback(input.key)),
    uninstall: plugins.uninstall.handler(async ({ input }) => {
      await jobs.uninstall(input.key);
      return done;
    }),
  };
}
