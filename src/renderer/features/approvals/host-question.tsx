import { Globe } from "lucide-react";
import { type SyntheticEvent, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Dialog, DialogSubject } from "../../../contract/dialogs/dialog.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useDisplayName } from "../../model/rows.ts";
import { useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { TimeLeft } from "./time-left.tsx";

async function answerHost(id: string, answer: "once" | "always" | "no") {
  await rpc.dialogs.answer({ id, answer });
}

type Host = Extract<DialogSubject, { kind: "host" }>;

interface HostQuestionProps {
  dialog: Dialog;
  about: Host;
  withAgent?: boolean;
}

/** Patchbay asks whether a plugin may reach a host. Whoever presses Enter has refused. */
export function HostQuestion({ dialog, about, withAgent }: HostQuestionProps) {
  const { t } = useTranslation();
  const text = useId();
  const send = useAction(answerHost);
  const agent = useMirror((state) => state.agents.get(dialog.agentId)?.name ?? dialog.agentId);
  const name = useDisplayName(dialog.pluginKey) ?? dialog.pluginKey;
  // Without a plugin it is about a command of the tool `shell`.
  const isShell = dialog.pluginKey === "";
  const plugin = isShell ? t("host.shell", { agent }) : name;
  const { host } = about;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void send.act(dialog.id, "no");
  };
  const warnings = useWarnings(about);

  return (
    <form
      onSubmit={submit}
      aria-label={t("host.label", { plugin })}
      aria-describedby={text}
      className="rounded-lg border border-accent/45 bg-surface shadow-card"
    >
      <header className="flex items-center gap-2.5 px-3.5 pt-3">
        <Globe className="size-4 shrink-0 text-accent" aria-hidden="true" />
        <h3 className="min-w-0 flex-1 text-sm font-semibold break-words">
          {t("host.questionBefore", { plugin })} <bdi className="figure break-all">{host}</bdi>
          {t("host.questionAfter")}
        </h3>
        <TimeLeft from={dialog.createdAt} until={dialog.expiresAt} />
      </header>
      <p className="pt-0.5 pr-3.5 pl-10 text-xs text-mute">
        {[
          t(isShell ? "host.asksShell" : "host.asks"),
          ...(withAgent ? [t("approvals.forAgent", { agent })] : []),
        ].join(" · ")}
      </p>
      <div id={text} className="space-y-1.5 px-3.5 pt-2.5 text-sm">
        {warnings.length > 0 && (
          <ul className="space-y-1 rounded-md border border-warn/35 bg-warn-wash px-3 py-2">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        )}
        <p className="text-mute">{t("host.why")}</p>
        <p className="text-xs text-mute">{t("host.consequences")}</p>
      </div>
      {send.problem && <ProblemNote className="mx-3.5 mt-3" problem={send.problem} />}
      <footer className="mt-3 flex flex-wrap items-center gap-1.5 border-t border-line px-3.5 py-2.5">
        <Button look="accent" ahead size="sm" type="submit" busy={send.busy}>
          {t("host.no")}
        </Button>
        <Button
          size="sm"
          className="ml-auto"
          disabled={send.busy}
          onClick={() => void send.act(dialog.id, "once")}
        >
          {t("host.once")}
        </Button>
        <Button size="sm" disabled={send.busy} onClick={() => void send.act(dialog.id, "always")}>
          {t("host.always")}
        </Button>
      </footer>
    </form>
  );
}

function useWarnings({ host, place }: Host): string[] {
  const { t } = useTranslation();
  const isAddress = /^(\d+\.){3}\d+(:\d+)?$/.test(host) || host.startsWith("[");
  return [
    ...(place === null ? [] : [placeWords()]),
    ...(host.split(".").some((part) => part.startsWith("xn--")) ? [t("host.letters")] : []),
    ...(isAddress ? [t("host.address")] : []),
  ];

  function placeWords(): string {
    if (place === "this computer" || place === "your local network") return t(`host.place.${place}`);
    return t("host.place.other", { place: place ?? "" });
  }
}
