import type { PluginView } from "../../../contract/plugin.ts";
import { switchedTools } from "../../../contract/tools/switched.ts";
import type { ToolSwitches } from "../../../contract/tools/switches.ts";
import type { ToolInfo } from "../../../contract/tools/tool-info.ts";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { CheckNote } from "./check-note.tsx";
import { ToolList } from "./tool-list.tsx";
import { useOffered } from "./use-offered.ts";

interface OfferedToolsProps {
  agentId: string;
  plugin: PluginView;
  switches: ToolSwitches | undefined;
}

/** The tools that a plugin was heard to offer while it does not run, each with its switch: they can be picked beforehand. */
export function OfferedTools({ agentId, plugin, switches }: OfferedToolsProps) {
  const { offered, problem } = useOffered(plugin);
  return (
    <>
      <CheckNote agentId={agentId} plugin={plugin} />
      {problem && <ProblemNote className="mt-3" problem={problem} />}
      {offered && (
        <div className="mt-3 border-t border-line pt-3 empty:hidden">
          <ToolList
            agentId={agentId}
            pluginKey={plugin.manifestKey}
            tools={withSwitches(offered.tools, switches)}
          />
        </div>
      )}
    </>
  );
}

/** The tools as the agent would be offered them. */
function withSwitches(tools: readonly ToolInfo[], switches: ToolSwitches | undefined): ToolInfo[] {
  const states = switchedTools(
    tools.filter(({ withheld }) => !withheld),
    switches,
  );
  return tools.map((tool): ToolInfo => {
    const isOn = tool.withheld ? true : states.get(tool.name);
    if (isOn === null) return { ...tool, withheld: "beyond" };
    return isOn === false ? { ...tool, withheld: "off" } : tool;
  });
}
