import { Download, Ellipsis, Hash, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { removedForDays } from "../../../../contract/removed/removed-for.ts";
import type { FoundSession, Session } from "../../../../contract/turn.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { formatAgo, useNow } from "../../../base/i18n/time.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { chooseSession } from "../../../store/chosen-session.ts";
import { useMirror } from "../../../store/mirror.ts";
import { useIsUnread } from "../../../store/seen-sessions.ts";
import { cx } from "../../../ui/class-names.ts";
import { Confirm } from "../../../ui/confirm.tsx";
import { IconButton } from "../../../ui/controls/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/controls/menu.tsx";
import { NameForm } from "../../../ui/naming/name-form.tsx";
import { Spinner } from "../../../ui/spinner.tsx";

interface SessionLineProps {
  found: FoundSession;
  open: boolean;
  onOpen(sessionId: string): void;
  onExport(session: Session, format: "markdown" | "json"): void;
  onRemoved(session: Session, title: string): void;
  /** Does something whose failure the list shows. */
  onAct(run: () => Promise<unknown>): void;
}

function keep(session: Session): Session {
  useMirror.setState((state) => ({ sessions: new Map(state.sessions).set(session.id, session) }));
  return session;
}

/** A conversation of the list: what is new in it, and what can be done with it. */
export function SessionLine({ found, open, onOpen, onExport, onRemoved, onAct }: SessionLineProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const [naming, setNaming] = useState(false);
  const [removing, setRemoving] = useState(false);
  const session = useMirror((state) => state.sessions.get(found.session.id)) ?? found.session;
  const channel = useDisplayName(session.source.channel ?? null);
  const isUnread = useIsUnread(session) && !open;
  const title = titleOf(session, t("conversation.new"));
  const { agentId, id: sessionId, pinned = false } = session;
  if (naming)
    return (
      <NameForm
        className="rounded-md bg-sunk px-2 py-1.5"
        label={t("conversations.name")}
        name={title}
        save={async (name) => keep(await rpc.sessions.rename({ agentId, sessionId, title: name }))}
        onClose={() => setNaming(false)}
      />
    );
  const isEnded = session.status === "closed";
  const when = formatAgo(session.updatedAt, now);
  return (
    <div
      className={cx(
        "group relative flex items-center gap-1 rounded-md py-1.5 pr-1 pl-2",
        open ? "bg-sunk" : "hover:bg-sunk/60",
      )}
    >
      <button
        type="button"
        aria-current={open || undefined}
        onClick={() => onOpen(sessionId)}
        className="min-w-0 flex-1 rounded-sm text-left"
      >
        <span className="flex items-center gap-1.5">
          {channel && <Hash className="size-3.5 shrink-0 text-hint" aria-hidden="true" />}
          <span
            title={title}
            className={cx("truncate text-sm", open || isUnread ? "font-semibold" : "font-medium")}
          >
            {title}
          </span>
          {pinned && (
            <Pin
              role="img"
              aria-label={t("conversations.pinned")}
              className="size-3 shrink-0 fill-current text-hint"
            />
          )}
        </span>
        <span className="block truncate text-xs text-mute" title={found.excerpt ?? undefined}>
          {found.excerpt ??
            [channel, when, isEnded ? t("conversations.ended") : null].filter(Boolean).join(" · ")}
        </span>
      </button>
      <StateMark session={session} isUnread={isUnread} />
      <Menu
        align="end"
        trigger={
          <IconButton
            label={t("conversations.more", { title })}
            className="size-7 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100"
          >
            <Ellipsis className="size-4" aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem
          icon={pinned ? <PinOff className="size-4" /> : <Pin className="size-4" />}
          onSelect={() =>
            onAct(async () => keep(await rpc.sessions.pin({ agentId, sessionId, pinned: !pinned })))
          }
        >
          {t(pinned ? "conversations.unpin" : "conversations.pin")}
        </MenuItem>
        <MenuItem icon={<Pencil className="size-4" />} onSelect={() => setNaming(true)}>
          {t("conversations.renameIt")}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Download className="size-4" />} onSelect={() => onExport(session, "markdown")}>
          {t("conversations.asMarkdown")}
        </MenuItem>
        <MenuItem icon={<Download className="size-4" />} onSelect={() => onExport(session, "json")}>
          {t("conversations.asJson")}
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 className="size-4" />} onSelect={() => setRemoving(true)}>
          {t("conversations.removeIt")}
        </MenuItem>
      </Menu>
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
          await rpc.sessions.remove({ agentId, sessionId });
          if (open) chooseSession(agentId, null);
          onRemoved(session, title);
        }}
      />
    </div>
  );
}

function StateMark({ session: { status }, isUnread }: { session: Session; isUnread: boolean }) {
  const { t } = useTranslation();
  if (status === "running")
    return (
      <span role="img" aria-label={t("conversations.running")} title={t("conversations.running")}>
        <Spinner className="text-accent" />
      </span>
    );
  if (status === "awaiting_approval")
    return (
      <span className="shrink-0 rounded-full bg-warn-wash px-1.5 text-xs font-medium text-warn">
        {t("conversations.waits")}
      </span>
    );
  if (!isUnread) return null;
  return (
    <span
      role="img"
      aria-label={t("conversations.unread")}
      title={t("conversations.unread")}
      className="size-2 shrink-0 rounded-full bg-accent"
    />
  );
}

/** The core's English name of a conversation in which nothing was said is not shown. */
export function titleOf({ title }: Pick<Session, "title">, untitled: string): string {
  return title === "New conversation" ? untitled : title;
}
