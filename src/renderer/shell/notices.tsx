import { Info, TriangleAlert, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useShallow } from "zustand/react/shallow";
import type { Notice } from "../../contract/agent.ts";
import { rpc } from "../base/client/rpc.ts";
import { problemLine, problemWords } from "../base/i18n/problem-words.ts";
import { reviewPath } from "../features/offered/public.ts";
import { useMirror } from "../store/mirror.ts";
import { useAction } from "../ui/action.ts";
import { cx } from "../ui/class-names.ts";
import { IconButton } from "../ui/controls/button.tsx";
import { SetAsideActs, SetAsideWords, setAsideOf } from "./set-aside-acts.tsx";

/** What happened to Patchbay itself and must not be missed, until the person puts it away. */
export function Notices() {
  const notices = useMirror(
    useShallow((state) => [...state.notices.values()].filter((notice) => !notice.dismissed)),
  );
  return notices.map((notice) => <NoticeStrip key={notice.id} notice={notice} />);
}

const dismissNotice = (id: string) => rpc.app.dismissNotice({ id });

function NoticeStrip({ notice }: { notice: Notice }) {
  const { t } = useTranslation();
  const dismiss = useAction(dismissNotice);
  const calm = notice.level === "info";
  const Icon = calm ? Info : TriangleAlert;
  const aside = setAsideOf(notice);
  const held = useHeld(notice.problem);
  const { title, help, original } = problemWords(notice.problem);
  return (
    <div
      role="status"
      className={cx(
        "flex flex-wrap items-start gap-3 border-b page-x py-2 text-sm",
        calm ? "border-line bg-sunk" : "border-warn/40 bg-warn-wash",
      )}
    >
      <Icon className={cx("mt-0.5 size-4 shrink-0", calm ? "text-mute" : "text-warn")} aria-hidden="true" />
      <p className="min-w-0 flex-1 break-words">
        {aside ? (
          <SetAsideWords row={aside} />
        ) : (
          <>
            <span className="font-medium">{title}</span> {original && <span lang="en">{original}</span>}{" "}
            <span className="text-mute">{help}</span>
          </>
        )}{" "}
        {dismiss.problem && <span className="text-bad">{problemLine(dismiss.problem)}</span>}
      </p>
      {held && (
        <Link
          to={reviewPath(held.agentId, held.key)}
          className="rounded-sm font-medium underline decoration-line-strong underline-offset-3 hover:decoration-accent"
        >
          {t("offered.look")}
        </Link>
      )}
      {aside && <SetAsideActs notice={notice} row={aside} />}
      <IconButton
        label={t("common.dismiss")}
        className="-my-1.5"
        disabled={dismiss.busy}
        onClick={() => void dismiss.act(notice.id)}
      >
        <X className="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  );
}

/** Where what a notice says is held can be looked at: at an agent that uses the plugin, else at the first. */
function useHeld({ code, details }: Notice["problem"]): { agentId: string; key: string } | null {
  const key = code === "TOOL_HELD" && typeof details?.key === "string" ? details.key : null;
  const agentId = useMirror((state) =>
    key === null ? undefined : (state.plugins.get(key)?.enabledFor[0] ?? state.agents.keys().next().value),
  );
  return key === null || agentId === undefined ? null : { agentId, key };
}
