import type { Agents } from "../../../agents/index.ts";
import type { Views } from "../../../views/views.ts";
import { done, procedures } from "../../implementer.ts";

export interface PauseNeeds {
  pauses: Agents["pauses"];
  views: Pick<Views, "agentById">;
}

export function breakpointProcedures({ pauses, views }: PauseNeeds) {
  const area = procedures.breakpoints;
  const known = (agentId: string) => views.agentById(agentId).id;
  return {
    list: area.list.handler(({ input }) => pauses.breakpoints(known(input.agentId))),
    add: area.add.handler(({ input: { agentId, ...given } }) => pauses.add(known(agentId), given)),
    change: area.change.handler(({ input: { agentId, id, ...given } }) =>
      pauses.change(known(agentId), id, given),
    ),
    remove: area.remove.handler(({ input }) => {
      pauses.remove(known(input.agentId), input.id);
      return done;
    }),
    next: area.next.handler(({ input }) => {
      pauses.next(known(input.agentId), input.on);
      return done;
    }),
  };
}

export function pauseProcedures({ pauses }: Pick<PauseNeeds, "pauses">) {
  const area = procedures.pauses;
  return {
    list: area.list.handler(() => pauses.list()),
    watch: area.watch.handler(({ signal }) => pauses.watch(signal)),
    look: area.look.handler(({ input }) => pauses.look(input.id)),
    resume: area.resume.handler(({ input }) => {
      pauses.resume(input.id, input.answer, { kind: "owner" });
      return done;
    }),
  };
}
