import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SecretQuestion } from "../../../contract/agent-plugin.ts";
import { rpc } from "../../base/client/rpc.ts";
import type { Row } from "../../model/rows.ts";
import { putRow } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

/** The secrets that the plugin names and that were not given to it, each as a question with two answers. */
export function SecretQuestions({ row }: { row: Row }) {
  const questions = row.view?.secretQuestions ?? [];
  return questions.map((question) => <Question key={question.name} row={row} question={question} />);
}

function Question({ row, question }: { row: Row; question: SecretQuestion }) {
  const { t } = useTranslation();
  const { agentId, key } = row;
  const { name, givenTo, refused } = question;
  const { act, busy, problem } = useAction(async (give: boolean) =>
    putRow(await rpc.agentPlugins.answerSecret({ agentId, key, name, give })),
  );
  const plugin = row.plugin?.displayName ?? key;
  const words = { plugin, name, owners: givenTo.join(", ") };
  return (
    <div role="status" className="rounded-lg border border-warn/35 bg-warn-wash px-4 py-3 text-sm">
      <div className="flex items-start gap-3">
        <KeyRound className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words text-ink">
            {givenTo.length > 0 ? t("secrets.asks", words) : t("secrets.asksUnowned", words)}
          </p>
          <p className="mt-0.5 break-words text-mute">
            {refused ? t("secrets.refused") : t("secrets.asksText")}
          </p>
        </div>
        <div className="flex shrink-0 gap-2">
          {!refused && (
            <Button look="quiet" size="sm" busy={busy} onClick={() => void act(false)}>
              {t("secrets.refuse")}
            </Button>
          )}
          <Button size="sm" busy={busy} onClick={() => void act(true)}>
            {t("secrets.give")}
          </Button>
        </div>
      </div>
      {problem && <ProblemNote problem={problem} className="mt-3" />}
    </div>
  );
}
