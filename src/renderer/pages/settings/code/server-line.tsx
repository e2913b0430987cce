import { Circle, CircleDashed, CirclePlay, CircleX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { LanguageServerView, LanguageTrial } from "../../../../contract/procedures/languages.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { InstallCommand } from "../../../features/permissions/public.ts";
import { useAction } from "../../../ui/action.ts";
import { cx } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Trial, Trouble } from "./trial.tsx";

/** Ends of files that a line shows; the rest is told by its number. */
const MOST_ENDS = 8;

const marks = {
  running: { Icon: CirclePlay, tone: "text-ok" },
  ready: { Icon: Circle, tone: "text-mute" },
  missing: { Icon: CircleDashed, tone: "text-mute" },
  failed: { Icon: CircleX, tone: "text-bad" },
} as const;

interface ServerLineProps {
  agentId: string;
  server: LanguageServerView;
  /** Called after a trial: it may run now, or not any more. */
  onTried(): void;
  /** What else can be done with it. */
  children?: ReactNode;
}

const ask = (agentId: string, command: string[]) => rpc.languages.try({ agentId, command });

/** A language server: what it is for, where it lies, how it stands, and the way to try it. */
export function ServerLine({ agentId, server, onTried, children }: ServerLineProps) {
  const { t } = useTranslation();
  const trying = useAction(ask);
  const [trial, setTrial] = useState<LanguageTrial | null>(null);
  const { name, files, path, install, state, trouble, command } = server;
  const { Icon, tone } = marks[state];
  const args = command.slice(1).join(" ");
  const run = async () => {
    setTrial(null);
    setTrial((await trying.act(agentId, command)) ?? null);
    onTried();
  };
  return (
    <div>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5">
            <span className="font-medium">{name}</span>
            <span className={cx("inline-flex items-center gap-1.5 text-xs", tone)}>
              <Icon className="size-3.5 shrink-0" aria-hidden="true" />
              {t(`code.state.${state}`)}
            </span>
          </p>
          <p className="figure break-words text-mute" title={files.join(" ")}>
            {files.slice(0, MOST_ENDS).join(" ")}
            {files.length > MOST_ENDS && t("code.more", { count: files.length - MOST_ENDS })}
          </p>
          {path !== null ? (
            <code className="figure block break-all">{args === "" ? path : `${path} ${args}`}</code>
          ) : install !== null ? (
            <p className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-mute">
              <span>{t("code.installWith")}</span>
              <InstallCommand command={install} />
            </p>
          ) : (
            <p className="text-mute">{t("code.notFound", { program: command[0] ?? "" })}</p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-1.5">
          {path !== null && (
            <Button
              size="sm"
              busy={trying.busy}
              aria-label={t(state === "failed" ? "code.tryAgainName" : "code.tryName", { name })}
              onClick={() => void run()}
            >
              {t(state === "failed" ? "code.tryAgain" : "code.try")}
            </Button>
          )}
          {children}
        </div>
      </div>
      {trouble && !trial && !trying.busy && <Trouble trouble={trouble} />}
      <div role="status">
        {trying.busy && <p className="mt-2 text-sm text-mute">{t("code.asking")}</p>}
        {trial && <Trial trial={trial} files={files} />}
      </div>
      {trying.problem && <ProblemNote className="mt-2" tone="warn" problem={trying.problem} />}
    </div>
  );
}
