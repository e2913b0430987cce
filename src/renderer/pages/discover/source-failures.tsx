import { RotateCw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ShownProblem } from "../../base/client/problem.ts";
import { problemWords } from "../../base/i18n/problem-words.ts";
import { formatAgo, useNow } from "../../base/i18n/time.ts";
import { askCatalogues, askRegistry, useDiscover } from "../../features/catalogue/discover-store.ts";
import { Button } from "../../ui/controls/button.tsx";

/** Sources that could not be asked, each in words with the way to ask again; what others answered is shown all the same. */
export function SourceFailures() {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const { listed, registry } = useDiscover();
  const failed = [
    ...listed.failures.map((failure) => ({ ...failure, from: "catalogue", ask: () => askCatalogues() })),
    ...registry.failures.map((failure) => ({
      ...failure,
      from: "registry",
      ask: () => askRegistry(registry.askedFor),
    })),
  ];
  return (
    <div className="space-y-2 empty:hidden [&:not(:empty)]:mb-4">
      {listed.problem && (
        <Failure problem={inWords(listed.problem)} busy={listed.searching} ask={() => askCatalogues()} />
      )}
      {registry.problem && (
        <Failure
          problem={inWords(registry.problem)}
          busy={registry.searching}
          ask={() => askRegistry(registry.askedFor)}
        />
      )}
      {failed.map(({ source, message, listedAt, from, ask }) => (
        <Failure
          key={`${from} ${source}`}
          problem={{
            title: t("discover.sourceFailed", { source }),
            help: listedAt === undefined ? message : t("servers.listOf", { ago: formatAgo(listedAt, now) }),
          }}
          busy={listed.searching || registry.searching}
          ask={ask}
        />
      ))}
    </div>
  );
}

interface FailureWords {
  title: string;
  help: string | undefined;
}

function inWords(problem: ShownProblem): FailureWords {
  const { title, help, original } = problemWords(problem);
  return { title, help: original ?? help };
}

function Failure({ problem, busy, ask }: { problem: FailureWords; busy: boolean; ask(): Promise<void> }) {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      className="flex items-center gap-3 rounded-lg border border-warn/35 bg-warn-wash py-1.5 pr-2 pl-4 text-sm"
    >
      <TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden="true" />
      <p className="min-w-0 flex-1 break-words">
        <span className="font-medium">{problem.title}</span> <span className="text-mute">{problem.help}</span>
      </p>
      <Button
        size="sm"
        busy={busy}
        icon={<RotateCw className="size-3.5" aria-hidden="true" />}
        onClick={() => void ask()}
      >
        {t("discover.retry")}
      </Button>
    </div>
  );
}
