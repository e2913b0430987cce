import { useTranslation } from "react-i18next";
import type { CommandInfo, Contributions, HookInfo } from "../../../contract/agent-plugin.ts";
import { hookSentenceKey } from "../../model/hook-words.ts";
import { Badge } from "../../ui/badge.tsx";

interface HookListProps {
  events: string[];
  hooks: HookInfo[];
  required: string[];
}

export function HookList({ events, hooks, required }: HookListProps) {
  const { t } = useTranslation();
  return (
    <ul className="divide-y divide-line">
      {events.map((event) => {
        const listening = hooks.filter((hook) => hook.event === event);
        const blocks = listening.some((hook) => hook.failureMode === "fail") || required.includes(event);
        return (
          <li key={event} className="py-2 first:pt-0 last:pb-0">
            <div className="flex flex-wrap items-center gap-2">
              <span className="text-sm">{t(hookSentenceKey(event))}</span>
              {blocks && <Badge title={t("page.guardsHelp")}>{t("page.guards")}</Badge>}
            </div>
            <p className="figure text-hint">
              {event}
              {listening.map((hook) => ` · ${t("page.priority", { priority: hook.priority })}`).join("")}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

export function CommandList({ names, commands }: { names: string[]; commands: CommandInfo[] }) {
  const { t } = useTranslation();
  const shown =
    commands.length > 0 ? commands : names.map((name) => ({ name, description: "", argsHint: undefined }));
  if (shown.length === 0) return <p className="text-sm text-mute">{t("page.commandsLater")}</p>;
  return (
    <ul className="space-y-1.5">
      {shown.map((command) => (
        <li key={command.name} className="text-sm">
          <code className="figure font-semibold">/{command.name}</code>{" "}
          {command.argsHint && <code className="figure text-hint">{command.argsHint}</code>}{" "}
          <span className="text-mute">{command.description}</span>
        </li>
      ))}
    </ul>
  );
}

interface SkillListProps {
  names: string[];
  /** Those of the running plugin; the others are only declared. */
  skills: Contributions["skills"];
}

export function SkillList({ names, skills }: SkillListProps) {
  return (
    <ul className="mt-1.5 space-y-1.5">
      {names.map((name) => (
        <li key={name} className="text-sm">
          <code className="figure font-semibold">{name}</code>{" "}
          <span className="text-mute">{skills.find((skill) => skill.name === name)?.description}</span>
        </li>
      ))}
    </ul>
  );
}
