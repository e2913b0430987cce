import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { ShownProblem } from "../../base/i18n/problem-words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { reviewPath } from "./review-dialog.tsx";

/** The way to where a prompt that is held can be looked at; undefined when the problem is another. */
export function lookAtHeld(agentId: string, { code, details }: ShownProblem): ReactNode {
  if (code !== "PROMPT_HELD" || typeof details?.key !== "string") return undefined;
  return <LookAtHeld path={reviewPath(agentId, details.key)} />;
}

function LookAtHeld({ path }: { path: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Button size="sm" onClick={() => void navigate(path)}>
      {t("offered.look")}
    </Button>
  );
}
