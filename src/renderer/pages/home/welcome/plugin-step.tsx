import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { discoverPath } from "../../../base/routes.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { BringOffer } from "./bring-offer.tsx";
import { Suggestion } from "./suggestion.tsx";
import { useSuggested } from "./use-suggested.ts";

interface StepProps {
  agentId: string;
  agentName: string;
  onDone(): void;
}

export function PluginStep({ agentId, agentName, onDone }: StepProps) {
  const { t } = useTranslation();
  const { suggested, problem } = useSuggested();
  return (
    <div className="flex flex-1 flex-col">
      <h2 className="title mt-1">{t("welcome.pluginTitle")}</h2>
      <p className="mt-1 mb-5 text-mute">{t("welcome.pluginText", { agent: agentName })}</p>
      {problem && <ProblemNote problem={problem} />}
      <BringOffer agentId={agentId} />
      <ul className="space-y-2.5">
        {suggested.map((entry) => (
          <li key={entry.spec}>
            <Suggestion agentId={agentId} entry={entry} onOn={onDone} />
          </li>
        ))}
      </ul>
      <footer className="mt-auto flex items-center gap-2 pt-6">
        <Link
          to={discoverPath(agentId)}
          className="mr-auto rounded-sm text-sm font-medium underline decoration-line-strong underline-offset-3 hover:decoration-accent"
        >
          {t("welcome.pluginMore")}
        </Link>
        <Button look="quiet" className="-mr-3" onClick={onDone}>
          {t("welcome.pluginSkip")}
        </Button>
      </footer>
    </div>
  );
}
