import type { PersonAct, RemovedKind } from "../../../../contract/index.ts";
import type { Removed } from "../../../removed/removed.ts";
import { done, procedures } from "../../implementer.ts";
import { wordOfPrograms } from "../../person-only.ts";

export interface RemovedNeeds {
  removed: Pick<Removed, "look" | "get" | "restore" | "delete" | "text">;
}

export function removedProcedures({ removed }: RemovedNeeds) {
  const area = procedures.removed;
  return {
    list: area.list.handler(() => removed.look()),
    restore: area.restore.handler(async ({ input: { id }, context }) => {
      const thing = removed.get(id);
      const act = thing && actOf(thing.kind);
      if (act) await wordOfPrograms(context.caller, act)?.();
      return removed.restore(id);
    }),
    text: area.text.handler(({ input: { id } }) => removed.text(id)),
    delete: area.delete.handler(async ({ input: { id } }) => {
      await removed.delete(id);
      return done;
    }),
  };
}

/** What the person confirms when a program wants it back. */
function actOf(kind: RemovedKind): PersonAct | null {
  switch (kind) {
    case "plugin":
      return "install";
    case "agent":
      return "policy";
    case "session":
    case "file":
      return null;
  }
}
