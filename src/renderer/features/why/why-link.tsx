import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { debugPath } from "../../base/routes.ts";
import { type ChosenTurn, chooseTurn } from "../../store/chosen-turn.ts";

interface WhyLinkProps {
  agentId: string;
  turnId: string;
  /** What is looked at there. */
  at: Pick<ChosenTurn, "toolCallId"> | Pick<ChosenTurn, "culprit">;
  /** `why`: something was refused, broken or changed. `timeline`: it went as it was meant to. */
  words?: "why" | "timeline";
}

/** Leads from the conversation to the place on the timeline at which something was decided. */
export function WhyLink({ agentId, turnId, at, words = "why" }: WhyLinkProps) {
  const { t } = useTranslation();
  return (
    <Link
      to={debugPath(agentId, "timeline")}
      onClick={() => chooseTurn(agentId, { turnId, ...at })}
      className="shrink-0 rounded-sm text-xs text-mute underline decoration-line-strong underline-offset-3 transition-colors hover:text-ink hover:decoration-accent"
    >
      {t(`why.${words}`)}
    </Link>
  );
}
