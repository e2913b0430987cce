import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { hasWords } from "../../../contract/shown/has-words.ts";
import { mostOffered } from "../../../contract/tools/most-offered.ts";
import type { ToolInfo } from "../../../contract/tools/tool-info.ts";
import { rpc } from "../../base/client/rpc.ts";
import { formatCount } from "../../base/i18n/time.ts";
import { putRow } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { SearchField } from "../../ui/controls/search-field.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { reviewPath } from "./review-dialog.tsx";
import { tokensOf } from "./tokens.ts";
import { ToolLine } from "./tool-line.tsx";

/** With more tools than this there is a field to search them. */
const FEW = 12;
/** So many are drawn at first, and with each press of the button. */
const STEP = 80;

interface ToolListProps {
  agentId: string;
  pluginKey: string;
  tools: ToolInfo[];
}

/** The tools of a plugin, each with the switch that offers it to the agent or takes it away. */
export function ToolList({ agentId, pluginKey: key, tools }: ToolListProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  const [most, setMost] = useState(STEP);
  const [pressed, setPressed] = useState<string | null>(null);
  const change = useAction(async (wanted: Record<string, boolean>) =>
    putRow(await rpc.agentPlugins.switchTools({ agentId, key, tools: wanted })),
  );
  if (tools.length === 0) return <p className="text-sm text-mute">{t("page.noTools")}</p>;
  const offered = tools.filter(({ withheld }) => withheld === undefined);
  const tokens = offered.reduce((sum, tool) => sum + tokensOf(tool), 0);
  const fitting = tools.filter((tool) => fits(tool, query));
  const switchOne = (name: string, on: boolean) => {
    setPressed(name);
    void change.act({ [name]: on });
  };
  const canSwitchAll = fitting.filter(({ withheld }) => withheld === undefined);
  return (
    <div>
      <p className="text-sm text-mute" role="status">
        {t("offered.count", {
          count: tools.length,
          on: formatCount(offered.length),
          all: formatCount(tools.length),
          tokens: formatCount(tokens),
        })}
      </p>
      {tools.length > mostOffered && (
        <p className="mt-1 text-sm text-warn">{t("offered.tooMany", { most: mostOffered })}</p>
      )}
      {tools.length > FEW && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <SearchField
            className="min-w-52 flex-1"
            label={t("offered.search")}
            value={query}
            onChange={(next) => {
              setQuery(next);
              setMost(STEP);
            }}
          />
          <Button
            size="sm"
            look="quiet"
            disabled={canSwitchAll.length === 0}
            busy={change.busy && pressed === null}
            onClick={() => {
              setPressed(null);
              void change.act(Object.fromEntries(canSwitchAll.map(({ name }) => [name, false])));
            }}
          >
            {t("offered.allOff", { count: canSwitchAll.length })}
          </Button>
        </div>
      )}
      {change.problem && <ProblemNote className="mt-3" problem={change.problem} />}
      <ul className="mt-3 divide-y divide-line">
        {fitting.slice(0, most).map((tool) => (
          <ToolLine
            key={tool.name}
            tool={tool}
            pending={change.busy && pressed === tool.name}
            onSwitch={(on) => switchOne(tool.name, on)}
            onLook={() => void navigate(reviewPath(agentId, key))}
          />
        ))}
      </ul>
      {fitting.length === 0 && <p className="mt-3 text-sm text-mute">{t("tools.nothingFits")}</p>}
      {fitting.length > most && (
        <Button className="mt-3" size="sm" onClick={() => setMost(most + STEP)}>
          {t("offered.more", { count: Math.min(STEP, fitting.length - most) })}
        </Button>
      )}
    </div>
  );
}

function fits({ name, title, label = "", description }: ToolInfo, query: string): boolean {
  return hasWords(`${name} ${title} ${label} ${description}`, query);
}
