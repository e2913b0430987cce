import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ShownProblem } from "../client/problem.ts";
import { Button } from "../ui/button.tsx";
import { ProblemNote } from "../ui/problem-note.tsx";
import { askCatalogues, askRegistry, useDiscover } from "./discover-store.ts";

/** Sources that could not be asked, each in words with the way to ask again; what others answered is shown all the same. */
export function SourceFailures() {
  const { t } = useTranslation();
  const { listed, registry } = useDiscover();
  const failed = [
    ...listed.failures.map((failure) => ({ ...failure, ask: () => askCatalogues() })),
    ...registry.failures.map((failure) => ({ ...failure, ask: () => askRegistry(registry.askedFor) })),
  ];
  return (
    <div className="space-y-2 empty:hidden [&:not(:empty)]:mb-4">
      {listed.problem && <Failure problem={listed.problem} busy={listed.searching} ask={askCatalogues} />}
      {registry.problem && (
        <Failure
          problem={registry.problem}
          busy={registry.searching}
          ask={() => askRegistry(registry.askedFor)}
        />
      )}
      {failed.map(({ source, message, ask }) => (
        <Failure
          key={source}
          problem={{
            code: "REGISTRY_UNREACHABLE",
            message: t("discover.sourceFailed", { source }),
            help: message,
          }}
          busy={listed.searching || registry.searching}
          ask={ask}
        />
      ))}
    </div>
  );
}

function Failure({ problem, busy, ask }: { problem: ShownProblem; busy: boolean; ask(): Promise<void> }) {
  const { t } = useTranslation();
  return (
    <ProblemNote
      tone="warn"
      problem={problem}
      action={
        <Button
          size="sm"
          busy={busy}
          icon={<RotateCw className="size-3.5" aria-hidden="true" />}
          onClick={() => void ask()}
        >
          {t("discover.retry")}
        </Button>
      }
    />
  );
}
