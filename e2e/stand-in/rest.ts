import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentPluginView, gatewayFileSchema } from "../../src/contract/index.ts";

/** The REST side of the app that runs in `home`, for arranging what a test is about. */
export function rest(home: string) {
  const gateway = gatewayFileSchema.parse(JSON.parse(readFileSync(join(home, "gateway.json"), "utf8")));
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${gateway.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${gateway.token}`, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
}

/** Installs the built-in guard and switches it on for the first agent. @returns the process id of its host */
export async function runGuard(home: string): Promise<number> {
  const call = rest(home);
  const agents = (await call("GET", "/agents")) as { id: string }[];
  const agentId = agents[0]?.id ?? ((await call("POST", "/agents", { name: "Helper" })) as { id: string }).id;
  const job = (await call("POST", "/jobs", { spec: "builtin:guard", yes: true })) as { id: string };
  await settled(async () => {
    const { status } = (await call("GET", `/jobs/${job.id}`)) as { status: string };
    return status === "done";
  });
  await call("PUT", `/agents/${agentId}/plugins/guard`, { enabled: true });
  let pid: number | null = null;
  await settled(async () => {
    const row = (await call("GET", `/agents/${agentId}/plugins/guard`)) as AgentPluginView;
    pid = row.instance.state === "running" ? row.instance.pid : null;
    return pid !== null;
  });
  return pid ?? -1;
}

async function settled(isSettled: () => Promise<boolean>): Promise<void> {
  const limit = AbortSignal.timeout(20_000);
  while (!(await isSettled())) limit.throwIfAborted();
}
