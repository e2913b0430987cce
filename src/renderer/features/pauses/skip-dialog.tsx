import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Pause } from "../../../contract/pauses/pauses.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useAction } from "../../ui/action.ts";
import { Field } from "../../ui/controls/field.tsx";
import { FormButtons } from "../../ui/controls/form-parts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

const skip = (id: string, text: string) =>
  rpc.pauses.resume({ id, answer: { action: "skip", step: false, text } });

/** What the person gives in place of a tool's result, or of the model's answer. */
export function SkipDialog({ pause, onClose }: { pause: Pause; onClose(): void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const skipping = useAction(skip);
  const what = pause.where === "model" ? "model" : "tool";
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    void skipping.act(pause.id, text);
  };
  return (
    <Dialog open onClose={onClose} title={t(`pauses.skipTitle.${what}`, { title: pause.title })}>
      <form onSubmit={send} className="space-y-4">
        <Field label={t(`pauses.skipText.${what}`)}>
          {(props) => (
            <textarea
              {...props}
              className="field min-h-28"
              required={what === "model"}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        {skipping.problem && <ProblemNote problem={skipping.problem} />}
        <FormButtons verb={t("pauses.skipAndGoOn")} busy={skipping.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
