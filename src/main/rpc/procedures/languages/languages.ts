import type { LanguageServers } from "../../../languages/language-servers.ts";
import type { Views } from "../../../views/views.ts";
import { procedures } from "../../implementer.ts";

export interface LanguageNeeds {
  servers: Pick<LanguageServers, "list" | "try">;
  views: Pick<Views, "agentById">;
}

export function languageProcedures({ servers, views }: LanguageNeeds) {
  const { languages } = procedures;
  return {
    list: languages.list.handler(({ input: { agentId } }) =>
      servers.list(views.agentById(agentId).workspace),
    ),
    try: languages.try.handler(({ input: { agentId, command }, signal }) =>
      servers.try(views.agentById(agentId).workspace, command, signal ?? new AbortController().signal),
    ),
  };
}
