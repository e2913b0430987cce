import { Globe } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Dialog, DialogSubject } from "../../../../contract/dialogs/dialog.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { useMirror } from "../../../store/mirror.ts";
import { VerdictQuestion } from "./verdict-question.tsx";

type Host = Extract<DialogSubject, { kind: "host" }>;

interface HostQuestionProps {
  dialog: Dialog;
  about: Host;
  withAgent?: boolean;
}

/** Patchbay asks whether a plugin may reach a host. Whoever presses Enter has refused. */
export function HostQuestion({ dialog, about, withAgent }: HostQuestionProps) {
  const { t } = useTranslation();
  const agent = useMirror((state) => state.agents.get(dialog.agentId)?.name ?? dialog.agentId);
  const name = useDisplayName(dialog.pluginKey) ?? dialog.pluginKey;
  // Without a plugin it is about a command of the tool `shell`.
  const isShell = dialog.pluginKey === "";
  const plugin = isShell ? t("host.shell", { agent }) : name;
  const { host } = about;
  const warnings = useWarnings(about);

  return (
    <VerdictQuestion
      dialog={dialog}
      withAgent={withAgent}
      label={t("host.label", { plugin })}
      icon={Globe}
      heading={
        <>
          {t("host.questionBefore", { plugin })} <bdi className="figure break-all">{host}</bdi>
          {t("host.questionAfter")}
        </>
      }
      says={t(isShell ? "host.asksShell" : "host.asks")}
      context={null}
      words={{ no: t("host.no"), once: t("host.once") }}
      lasting={{ answer: "always", words: t("host.always") }}
    >
      <div className="space-y-1.5">
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
    </VerdictQuestion>
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
