import { mcpPath, PatchbayError, type ServerCommand } from "../../../contract/index.ts";
import type { Authority } from "../../authority/index.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";

export interface AccessNeeds {
  authority: Pick<Authority, "screens" | "links" | "confirmations" | "programs" | "kept">;
  views: Pick<Views, "agentById">;
  /** How a program starts Patchbay as the server of an agent. */
  startOf(agentId: string): ServerCommand;
  /** Told of a token that was given out, so that no log shows it. */
  hide(token: string): void;
}

export function accessProcedures({ authority, views, startOf, hide }: AccessNeeds) {
  const area = procedures.access;
  return {
    confirm: area.confirm.handler(async ({ input, context: { caller } }) => {
      if (caller.asker.kind === "here") throw new PatchbayError("BAD_INPUT", "Nothing was asked of you.");
      return { until: await authority.confirmations.confirm(caller.asker, input) };
    }),
    prepare: area.prepare.handler(() => done),
    screens: area.screens.handler(({ context: { caller } }) =>
      authority.screens.list(caller.asker.kind === "screen" ? caller.asker.id : undefined),
    ),
    openScreen: area.openScreen.handler(() => ({ code: authority.links.make() })),
    programs: area.programs.handler(({ input: { agentId } }) => {
      views.agentById(agentId);
      const { port } = authority.kept;
      const url = port === 0 ? null : `http://127.0.0.1:${port}${mcpPath}/${agentId}`;
      return { start: startOf(agentId), url, programs: authority.programs.list(agentId) };
    }),
    letIn: area.letIn.handler(async ({ input: { agentId, name } }) => {
      views.agentById(agentId);
      const letIn = await authority.programs.letIn(agentId, name);
      hide(letIn.token);
      return letIn;
    }),
    endProgram: area.endProgram.handler(({ input }) => authority.programs.end(input.id).then(() => done)),
    endScreen: area.endScreen.handler(({ input }) => authority.screens.end(input.id).then(() => done)),
  };
}
