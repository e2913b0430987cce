import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Session } from "../../../../contract/turn.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { chooseSession } from "../../../store/chosen-session.ts";
import { useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { Button, TextButton } from "../../../ui/controls/button.tsx";
import { SearchField } from "../../../ui/controls/search-field.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { exportSession } from "./export-session.ts";
import { SessionLine } from "./session-line.tsx";
import { useFoundSessions } from "./use-found-sessions.ts";

interface ConversationListProps {
  agentId: string;
  /** The one that is open. */
  sessionId: string | null;
  onOpen(sessionId: string): void;
}

/** What was done with a conversation of the list. */
type Told = { text: string } | { removed: Session; title: string };

const run = (act: () => Promise<unknown>) => act();

/** All conversations of an agent, at this screen and in its channels: to be searched, opened and named. */
export function ConversationList({ agentId, sessionId, onOpen }: ConversationListProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const [told, setTold] = useState<Told | null>(null);
  const { found, problem } = useFoundSessions(agentId, words);
  const acting = useAction(run);
  const act = (work: () => Promise<unknown>) => {
    setTold(null);
    void acting.act(work);
  };
  const write = (session: Session, format: "markdown" | "json") =>
    act(async () => {
      const to = await exportSession(session, format);
      setTold({
        text: "path" in to ? t("conversations.saved", to) : t("conversations.downloaded", { name: to.name }),
      });
    });
  const bringBack = (session: Session, title: string) =>
    act(async () => {
      const kept = keptOf(session);
      if (kept) await rpc.removed.restore({ id: kept.id });
      chooseSession(agentId, session.id);
      setTold({ text: t("conversations.isBack", { title }) });
    });
  return (
    <section aria-label={t("conversations.title")} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="px-3 pt-3 pb-2">
        <SearchField value={words} onChange={setWords} label={t("conversations.search")} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {problem && <ProblemNote problem={problem} />}
        {found === null && !problem && <Spinner className="m-4 text-mute" />}
        {found?.length === 0 && (
          <EmptyState
            className="px-2"
            title={
              words.trim() === ""
                ? t("conversations.none")
                : t("conversations.notFound", { words: words.trim() })
            }
            text={t(words.trim() === "" ? "conversations.noneText" : "empty.lessFinds")}
            action={words !== "" && <Button onClick={() => setWords("")}>{t("history.clear")}</Button>}
          />
        )}
        <ul className="space-y-0.5">
          {found?.map((one) => (
            <li key={one.session.id}>
              <SessionLine
                found={one}
                open={one.session.id === sessionId}
                onOpen={onOpen}
                onExport={write}
                onRemoved={(removed, title) => setTold({ removed, title })}
                onAct={act}
              />
            </li>
          ))}
        </ul>
      </div>
      {acting.problem && <ProblemNote className="mx-2 mb-2" problem={acting.problem} />}
      <div role="status">
        {told && (
          <p className="flex items-center gap-3 border-t border-line px-4 py-2.5 text-sm">
            <span className="min-w-0 flex-1 break-words">
              {"text" in told ? told.text : t("conversations.wasRemoved", { title: told.title })}
            </span>
            {"removed" in told && (
              <TextButton onClick={() => bringBack(told.removed, told.title)}>
                {t("conversations.undo")}
              </TextButton>
            )}
          </p>
        )}
      </div>
    </section>
  );
}

/** What is kept of a conversation that was removed just now; undefined when somebody else has brought it back. */
function keptOf({ agentId, title }: Session) {
  return [...useMirror.getState().removed.values()]
    .filter((one) => one.kind === "session" && one.agentId === agentId && one.name === title)
    .sort((a, b) => b.at.localeCompare(a.at))[0];
}
