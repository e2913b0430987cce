import {
  mostOffered,
  PatchbayError,
  switchedTools,
  type ToolInfo,
  type ToolSwitches,
} from "../../../contract/index.ts";

/**
 * The switches after a change. Of a plugin with more tools than are offered, the first change fixes which are: from then on
 * nothing comes in by itself.
 *
 * @param listed all tools that the plugin lists, or was heard to; none where that is not known
 * @throws PatchbayError BAD_INPUT when more than {@link mostOffered} would be on
 */
export function switched(
  before: ToolSwitches | undefined,
  listed: readonly Pick<ToolInfo, "name" | "reading">[],
  { tools, others }: { tools: Record<string, boolean>; others?: boolean | undefined },
): ToolSwitches {
  const base = before ?? { tools: {}, others: true };
  const isMuch = listed.length > mostOffered && base.others && others === undefined;
  const states = switchedTools(listed, base);
  const fixed = isMuch
    ? Object.fromEntries(listed.map(({ name }) => [name, states.get(name) === true]))
    : base.tools;
  const after = {
    tools: { ...fixed, ...tools },
    others: others ?? (isMuch ? false : base.others),
  };
  const on = [...switchedTools(listed, after)];
  const gains = Object.entries(tools).some(([, wanted]) => wanted);
  if (gains && on.some(([, state]) => state === null))
    throw new PatchbayError("BAD_INPUT", `An agent is offered at most ${mostOffered} tools of one plugin.`, {
      help: "Switch another tool off first.",
    });
  return after;
}
