import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../../base/client/rpc.ts";
import { formatMs } from "../../../base/i18n/time.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";

type Kind = "registry" | "catalogue";
const check = (kind: Kind, url: string) => rpc.catalog.check({ kind, url });

/** Whether a source answers, asked when the person wants to know. */
export function useSourceCheck(kind: Kind, url: string) {
  const { t } = useTranslation();
  const asking = useAction(check);
  const [outcome, setOutcome] = useState<Awaited<ReturnType<typeof check>> | null>(null);
  const run = async () => {
    setOutcome(null);
    setOutcome((await asking.act(kind, url)) ?? null);
  };
  const button = (
    <Button
      busy={asking.busy}
      disabled={url === ""}
      aria-label={t("sources.checkName", { url })}
      onClick={() => void run()}
    >
      {t("sources.check")}
    </Button>
  );
  const problem = asking.problem ?? (outcome && !outcome.ok ? outcome.problem : null);
  const result = (
    <div role="status">
      {outcome?.ok && (
        <p className="mt-2 flex items-center gap-2 text-sm font-medium text-ok">
          <CircleCheck className="size-4 shrink-0" aria-hidden="true" />
          {outcome.entries === null
            ? t("sources.answers", { time: formatMs(outcome.ms) })
            : t("sources.lists", { count: outcome.entries, time: formatMs(outcome.ms) })}
        </p>
      )}
      {problem && <ProblemNote className="mt-2" tone="warn" problem={problem} />}
    </div>
  );
  return { button, result };
}
