import { PatchbayError, type Settings } from "../../../contract/index.ts";
import type { CodeServices } from "../../languages/code-services.ts";
import { LanguageServers } from "../../languages/language-servers.ts";
import { isOperation } from "../../languages/questions.ts";
import type { Permissions } from "../../permissions/permissions.ts";
import type { LoginPath } from "../../platform/login-path.ts";
import type { PoolOptions } from "../../pool/ports.ts";

/** The language servers of this computer, closed with the app. */
export function openLanguages(
  { loginPath }: { loginPath: LoginPath },
  settings: { get(): Pick<Settings, "languageServers"> },
  root: string,
  stack: AsyncDisposableStack,
): LanguageServers {
  const servers = new LanguageServers({ configured: () => settings.get().languageServers, loginPath, root });
  stack.defer(() => servers.close());
  return servers;
}

interface CodeNeeds extends Pick<PoolOptions, "agents" | "registry"> {
  servers: Pick<LanguageServers, "has" | "ask">;
  permissions: Pick<Permissions, "of">;
}

/** What a plugin may ask of the code in its agent's workspace: everything where it may read that, nothing where not. */
export function codeOf({
  servers,
  agents,
  registry,
  permissions,
}: CodeNeeds): (agentId: string, key: string) => CodeServices {
  return (agentId, key) => {
    const readable = () => {
      const agent = agents.get(agentId);
      const plugin = registry.get(key);
      const reads = plugin && permissions.of(agentId, plugin).files.workspace !== "none";
      return agent && reads ? agent.workspace : null;
    };
    return {
      has: async (file) => {
        const workspace = readable();
        return workspace !== null && servers.has(workspace, file);
      },
      ask: async ({ operation, ...question }, signal) => {
        const workspace = readable();
        if (workspace === null) {
          throw new PatchbayError("FORBIDDEN", `The plugin ${key} may not read the agent's workspace.`, {
            help: "Allow it on the plugin's page, under Permissions.",
          });
        }
        if (!isOperation(operation)) {
          throw new PatchbayError("BAD_INPUT", `There is no question about code named "${operation}".`);
        }
        return servers.ask(workspace, { operation, ...question }, signal);
      },
    };
  };
}
