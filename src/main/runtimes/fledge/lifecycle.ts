import type { HookInfo } from "../../../contract/index.ts";
import type { FledgeDetails } from "./details.ts";
import type { FledgeManifest } from "./manifest/plugin-toml.ts";

/**
 * fledge's lifecycle hooks, and the agent event at which Patchbay runs each. `post_work_start` runs when a session is
 * opened, because both begin a piece of work. Null: agents have no such event; they do not make projects from templates
 * and do not push.
 */
const events: Record<string, string | null> = {
  pre_init: null,
  post_work_start: "session.opened@v1",
  pre_push: null,
};

/** The lifecycle hooks of a plugin. As with fledge they run only for plugins that may start programs. */
export function lifecycleOf(
  manifest: Pick<FledgeManifest, "hooks" | "grants" | "runtime">,
): FledgeDetails["lifecycle"] {
  const run = manifest.grants.exec && manifest.runtime === "native";
  return Object.entries(events).flatMap(([name, event]) => {
    const command = manifest.hooks[name as keyof FledgeManifest["hooks"]];
    return command === undefined ? [] : [{ name, command, event: run ? event : null }];
  });
}

export function hookInfos(lifecycle: FledgeDetails["lifecycle"], timeoutMs: number): HookInfo[] {
  return lifecycle.flatMap(({ name, event }) =>
    event === null ? [] : [{ id: name, event, priority: 100, timeoutMs, failureMode: "skip" as const }],
  );
}
