import type { AgentPlugins } from "../registry/index.ts";
import type { AuditLog } from "../store/index.ts";
import type { Grants } from "./oauth/grants.ts";
import { readRecord } from "./persist/record.ts";
import type { PluginCredentials } from "./plugin-credentials.ts";

export interface CredentialEnds {
  grants: Pick<Grants, "signOut">;
  credentials: Pick<PluginCredentials, "forget">;
  agentPlugins: Pick<AgentPlugins, "get" | "report">;
  audit: Pick<AuditLog, "record">;
}

/**
 * Ends what a plugin that goes may do in the person's name: its sign-in is revoked at the provider, and forgotten with what
 * it kept in profiles. Never rejects: what cannot be undone elsewhere must not keep the plugin here.
 */
export async function endCredentials(
  { grants, credentials, agentPlugins, audit }: CredentialEnds,
  agentId: string,
  key: string,
): Promise<void> {
  const { finished, open } = readRecord(agentPlugins.get(agentId, key));
  if (!finished?.grant && !finished?.credentials) return;
  const failed: string[] = [];
  const attempt = (work: Promise<void>) =>
    work.catch((error: unknown) => void failed.push(error instanceof Error ? error.message : String(error)));
  await attempt(grants.signOut(agentId, key));
  await attempt(credentials.forget(agentId, key));
  if (agentPlugins.get(agentId, key)) {
    const ended = { ...finished, account: null, grant: null, credentials: null };
    agentPlugins.report(agentId, key, { setupState: { finished: ended, open } });
  }
  audit.record({ kind: "setup.signed_out", agentId, pluginKey: key, ...(failed.length > 0 && { failed }) });
}
