import { expect } from "@playwright/test";
import type { AgentPluginView } from "../../src/contract/index.ts";
import { ask } from "../support/core.ts";

/** Installs the built-in guard and switches it on. @returns the process id of its host */
export async function runGuard(home: string, agentId = "helper"): Promise<number> {
  const job = await ask<{ id: string }>(home, "POST", "/jobs", { spec: "builtin:guard", yes: true });
  await expect
    .poll(async () => (await ask<{ status: string }>(home, "GET", `/jobs/${job.id}`)).status)
    .toBe("done");
  const path = `/agents/${agentId}/plugins/guard`;
  await ask(home, "PUT", path, { enabled: true });
  const instance = async () => (await ask<AgentPluginView>(home, "GET", path)).instance;
  await expect.poll(async () => (await instance()).state).toBe("running");
  return (await instance()).pid ?? -1;
}
