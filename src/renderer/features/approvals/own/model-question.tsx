import { Sparkles } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Dialog } from "../../../../contract/dialogs/dialog.ts";
import type { WantedOfModel } from "../../../../contract/dialogs/wanted-of-model.ts";
import { formatNumber } from "../../../base/i18n/time.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { VerdictQuestion } from "./verdict-question.tsx";

interface ModelQuestionProps {
  dialog: Dialog;
  about: WantedOfModel;
  withAgent?: boolean;
}

/** Patchbay asks whether a plugin may ask the agent's model, and shows what. Whoever presses Enter has refused. */
export function ModelQuestion({ dialog, about, withAgent }: ModelQuestionProps) {
  const { t } = useTranslation();
  const plugin = useDisplayName(dialog.pluginKey) ?? dialog.pluginKey;
  const { question } = dialog;
  const isLasting = question.kind === "select" && question.options.some(({ value }) => value === "session");

  return (
    <VerdictQuestion
      dialog={dialog}
      withAgent={withAgent}
      label={t("lent.label", { plugin })}
      icon={Sparkles}
      heading={t("lent.question", { plugin, model: about.model })}
      says={t("lent.asks")}
      context={dialog.context}
      words={{ no: t("lent.no"), once: t("lent.once") }}
      lasting={isLasting ? { answer: "session", words: t("lent.session") } : null}
    >
      {/* Read by the keyboard as well: it scrolls. */}
      <section
        tabIndex={0}
        aria-label={t("lent.sent")}
        className="max-h-72 space-y-2.5 overflow-auto rounded-md border border-line bg-sunk px-3 py-2"
      >
        {about.system !== "" && <Said who={t("lent.system")} text={about.system} />}
        {about.messages.map(({ role, text: said, pictures }, index) => (
          <Said
            // biome-ignore lint/suspicious/noArrayIndexKey: they do not change while the question stands
            key={index}
            who={t(`lent.role.${role}`)}
            text={said}
            more={pictures > 0 ? t("lent.pictures", { count: pictures }) : ""}
          />
        ))}
      </section>
      <p className="text-mute">{t("lent.most", { tokens: formatNumber(about.mostTokens, 0) })}</p>
      <p className="text-xs text-mute">{t("lent.consequences")}</p>
    </VerdictQuestion>
  );
}

/** One text that is sent. */
function Said({ who, text, more = "" }: { who: string; text: string; more?: string }) {
  return (
    <div>
      <p className="text-xs font-medium text-mute">{who}</p>
      <p className="break-words whitespace-pre-wrap">{text}</p>
      {more !== "" && <p className="text-xs text-mute">{more}</p>}
    </div>
  );
}
