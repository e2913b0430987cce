import { PatchbayError } from "../../../contract/index.ts";
import type { Authority } from "../../authority/index.ts";
import { done, procedures } from "../implementer.ts";

export interface AccessNeeds {
  authority: Pick<Authority, "screens" | "links" | "confirmations">;
}

export function accessProcedures({ authority }: AccessNeeds) {
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
    endScreen: area.endScreen.handler(({ input }) => authority.screens.end(input.id).then(() => done)),
  };
}
