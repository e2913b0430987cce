import { Hash, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { removedForDays } from "../../../../contract/removed/removed-for.ts";
import type { FoundSession, Session } from "../../../../contract/turn.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { formatAgo, useNow } from "../../../base/i18n/time.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { chooseSession } from "../../../store/chosen-session.ts";
import { useMirror } from "../../../store/mirror.ts";
import { cx } from "../../../ui/class-names.ts";
import { Confirm } from "../../../ui/confirm.tsx";
import { Button, IconButton } from "../../../ui/controls/button.tsx";
import { SearchField } from "../../../ui/controls/search-field.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { NameForm } from "../../../ui/naming/name-form.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { useFoundSessions } from "./use-found-sessions.ts";

interface ConversationListProps {
  agentId: string;
  /** The one that is open. */
  sessionId: string | null;
  onOpen(sessionId: string): void;
}

async function rename({ agentId, id }: Session, title: string): Promise<Session> {
  const session = await rpc.sessions.rename({ agentId, sessionId: id, title });
  useMirror.setState((state) => ({ sessions: new Map(state.sessions).set(id, session) }));
  return session;
}

/** All conversations of an agent, at this screen and in its channels: to be searched, opened and named. */
export function ConversationList({ agentId, sessionId, onOpen }: ConversationListProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const { found, problem } = useFoundSessions(agentId, words);
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
              <Line found={one} open={one.session.id === sessionId} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

interface LineProps {
  found: FoundSession;
  open: boolean;
  onOpen(sessionId: string): void;
}

function Line({ found: { session, excerpt }, open, onOpen }: LineProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const [naming, setNaming] = useState(false);
  const [removing, setRemoving] = useState(false);
  const channel = useDisplayName(session.source.channel ?? null);
  const title = titleOf(session, t("conversation.new"));
  if (naming)
    return (
      <NameForm
        className="rounded-md bg-sunk px-2 py-1.5"
        label={t("conversations.name")}
        name={title}
        save={(name) => rename(session, name)}
        onClose={() => setNaming(false)}
      />
    );
  return (
    <div
      className={cx(
        "group relative flex items-start gap-1 rounded-md px-2 py-1.5",
        open ? "bg-sunk" : "hover:bg-sunk/60",
      )}
    >
      <button
        type="button"
        aria-current={open || undefined}
        onClick={() => onOpen(session.id)}
        className="min-w-0 flex-1 rounded-sm text-left"
      >
        <span className="flex items-center gap-1.5">
          {channel && <Hash className="size-3.5 shrink-0 text-hint" aria-hidden="true" />}
          <span title={title} className={cx("truncate text-sm", open ? "font-semibold" : "font-medium")}>
            {title}
          </span>
        </span>
        <span className="block truncate text-xs text-mute" title={excerpt ?? undefined}>
          {excerpt ??
            [channel, formatAgo(session.updatedAt, now), closed(session, t)].filter(Boolean).join(" · ")}
        </span>
      </button>
      <IconButton
        label={t("conversations.rename", { title })}
        className="size-7 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100"
        onClick={() => setNaming(true)}
      >
        <Pencil className="size-3.5" aria-hidden="true" />
      </IconButton>
      <IconButton
        label={t("conversations.remove", { title })}
        className="size-7 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100"
        onClick={() => setRemoving(true)}
      >
        <Trash2 className="size-3.5" aria-hidden="true" />
      </IconButton>
      <Confirm
        open={removing}
        onClose={() => setRemoving(false)}
        title={t("conversations.removeTitle", { title })}
        consequences={[
          t("conversations.removeStops"),
          t("conversations.removeKeeps", { count: removedForDays }),
        ]}
        verb={t("conversations.removeVerb")}
        danger
        run={async () => {
          await rpc.sessions.remove({ agentId: session.agentId, sessionId: session.id });
          if (open) chooseSession(session.agentId, null);
        }}
      />
    </div>
  );
}

function closed(session: Session, t: (key: "conversations.ended") => string): string | null {
  return session.status === "closed" ? t("conversations.ended") : null;
}

/** The core's English name of a conversation in which nothing was said is not shown. */
export function titleOf({ title }: Pick<Session, "title">, untitled: string): string {
  return title === "New conversation" ? untitled : title;
}
