import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../../base/client/rpc.ts";
import { cx } from "../../../ui/class-names.ts";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { PluginName } from "../by-hand/plugin-name.tsx";
import { useAsked } from "../by-hand/use-asked.ts";
import { useContributionsVersion } from "../by-hand/use-contributions-version.ts";
import { CommandPanel } from "./command-panel.tsx";

/** The slash commands of the agent, to be run by hand. */
export function CommandsTab({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const version = useContributionsVersion(agentId);
  const { answer, problem } = useAsked(version, (signal) => rpc.commands.list({ agentId }, { signal }));
  const [chosen, setChosen] = useState<string | null>(null);
  const idOf = ({ name, owner }: { name: string; owner: string | null }) => `${owner ?? ""} ${name}`;
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto px-6 pb-8">
      {problem && <ProblemNote problem={problem} />}
      {!problem && !answer && <Spinner className="m-4 text-mute" />}
      {answer?.length === 0 && <EmptyState title={t("commandsTab.empty")} />}
      {answer && (
        <ul
          aria-label={t("commandsTab.list")}
          className="divide-y divide-line rounded-lg border border-line bg-surface"
        >
          {answer.map((command) => {
            const id = idOf(command);
            const isChosen = id === chosen;
            return (
              <li key={id} className="px-4">
                <button
                  type="button"
                  aria-expanded={isChosen}
                  onClick={() => setChosen(isChosen ? null : id)}
                  className="flex min-h-12 w-full flex-wrap items-center gap-x-3 gap-y-0.5 py-2 text-left"
                >
                  <code className="figure font-semibold">/{command.name}</code>
                  {command.argsHint && <code className="figure text-mute">{command.argsHint}</code>}
                  <span className="min-w-40 flex-1 text-sm text-mute">{command.description}</span>
                  <PluginName owner={command.owner} />
                  <Play
                    className={cx("size-3.5 shrink-0", isChosen ? "text-accent" : "text-hint")}
                    aria-hidden="true"
                  />
                </button>
                {isChosen && <CommandPanel agentId={agentId} command={command} />}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
