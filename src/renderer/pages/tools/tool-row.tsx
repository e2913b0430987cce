import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { ToolRight, ToolRights } from "../../../contract/permissions/tool-rights.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useNow } from "../../base/i18n/time.ts";
import { ToolWords } from "../../features/approvals/public.ts";
import { whyWords } from "../../features/policies/rule-words.ts";
import { useAction } from "../../ui/action.ts";
import { TextButton } from "../../ui/controls/button.tsx";
import { Segments } from "../../ui/controls/segments.tsx";
import { Switch } from "../../ui/controls/switch.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

interface ToolRowProps {
  agentId: string;
  tool: ToolRight;
  /** The display name of its plugin; null for a built-in tool. */
  owner: string | null;
  onChange(rights: ToolRights): void;
}

/** One tool: what it does and is given, whether it asks and why, and the switch that takes it away. */
export function ToolRow({ agentId, tool, owner, onChange }: ToolRowProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const change = useAction(async (work: () => Promise<ToolRights>) => onChange(await work()));
  const { name, title, effect } = tool;
  const isAllowed = effect !== "deny";
  const isOff = tool.withheld === "off" || tool.withheld === "beyond";
  const setRule = (wanted: "allow" | "ask" | null) =>
    void change.act(() => rpc.tools.setRule({ agentId, name, effect: wanted }));
  const offer = async (offered: boolean) => {
    const { owner: key } = tool;
    // One that is off among its plugin's tools is on again with them, too.
    if (offered && isOff && key !== null)
      await rpc.agentPlugins.switchTools({ agentId, key, tools: { [name]: true } });
    return rpc.tools.offer({ agentId, name, offered });
  };
  return (
    <article aria-label={title} className="px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2.5">
        <div className="min-w-52 flex-1 basis-72">
          <h3 className="figure font-semibold wrap-anywhere">{title}</h3>
          <ToolWords
            className="text-sm wrap-anywhere"
            name={name}
            owner={owner}
            text={tool.description}
            ours={tool.reading ?? tool.passes}
          />
          <p className="mt-0.5 text-xs wrap-anywhere text-mute">{givenWords(tool, t)}</p>
          {tool.withheld && (
            <p className="mt-0.5 text-xs font-medium text-warn">{t(`offered.withheld.${tool.withheld}`)}</p>
          )}
        </div>
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
          {isAllowed ? (
            <fieldset disabled={change.busy} className="min-w-0">
              <legend className="sr-only">{t("tools.askOf", { tool: title })}</legend>
              <Segments<"ask" | "allow">
                size="sm"
                value={effect}
                options={[
                  { value: "ask", label: t("tools.effect.ask") },
                  { value: "allow", label: t("tools.effect.allow") },
                ]}
                onChange={setRule}
              />
            </fieldset>
          ) : (
            <p className="text-xs font-medium text-mute">{t("tools.effect.deny")}</p>
          )}
          <Switch
            label={t("tools.offerOf", { tool: title })}
            checked={isAllowed && !isOff}
            pending={change.busy}
            onChange={(offered) => void change.act(() => offer(offered))}
          />
        </div>
      </div>
      <p className="mt-1.5 flex flex-wrap gap-x-3 text-xs text-mute">
        <span>{tool.inChatsOnly ? t("tools.inChatsOnly") : whyWords(t, tool, now)}</span>
        {tool.passes && <span>{t("tools.passes")}</span>}
        {isAllowed && tool.rule?.tool === name && (
          <TextButton className="text-xs" onClick={() => setRule(null)}>
            {t("tools.useDefault")}
          </TextButton>
        )}
      </p>
      {change.problem && <ProblemNote className="mt-2" problem={change.problem} />}
    </article>
  );
}

function givenWords({ parameters }: ToolRight, t: TFunction): string {
  const { properties, required } = parameters as { properties?: object; required?: unknown };
  const names = Object.keys(properties ?? {}).map(cleanLine);
  const needed = names.filter((name) => Array.isArray(required) && required.includes(name));
  const free = names.filter((name) => !needed.includes(name));
  if (names.length === 0) return t("tools.givenNothing");
  if (free.length === 0) return t("tools.given", { names: needed.join(", ") });
  if (needed.length === 0) return t("tools.givenFree", { free: free.join(", ") });
  return t("tools.givenBoth", { names: needed.join(", "), free: free.join(", ") });
}
