import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { isObject } from "../../../contract/is-object.ts";
import { type PauseEdit, type PauseView, pauseEditSchema } from "../../../contract/pauses/pauses.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { JsonDiff } from "../../ui/json/json-diff.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { JsonField } from "../settings-form/public.ts";
import { eventWords } from "./pause-words.ts";
import { subjectOf } from "./subject.ts";
import { useNames } from "./use-names.ts";

const goOn = (id: string, edit: PauseEdit) =>
  rpc.pauses.resume({ id, answer: { action: "continue", step: false, edit } });

/** Changes what a turn stands before, and lets it go on with that. What changes is shown while it is written. */
export function EditDialog({ view, onClose }: { view: PauseView; onClose(): void }) {
  const { t } = useTranslation();
  const nameOf = useNames();
  const { pause, schema, fields = [] } = view;
  const before = subjectOf(view);
  // Null while it is no JSON, or does not fit.
  const [after, setAfter] = useState<Record<string, unknown> | null>(isObject(before) ? before : {});
  const going = useAction(goOn);
  const edit = after && editOf(view, after);
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    if (edit) void going.act(pause.id, edit);
  };
  const title = t(`pauses.editTitle.${pause.where}`, {
    title: pause.where === "hook" ? eventWords(pause.title) : pause.title,
    plugin: pause.plugin === null ? "" : nameOf(pause.plugin),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      width="lg"
      title={title}
      description={t(`pauses.editHelp.${pause.where}`, { fields: fields.join(", ") })}
      notice={going.problem && <ProblemNote problem={going.problem} />}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button look="accent" ahead type="submit" form="pause-edit" busy={going.busy} disabled={!edit}>
            {t("pauses.takeOver")}
          </Button>
        </>
      }
    >
      <form id="pause-edit" onSubmit={send} className="space-y-4 pt-1">
        <JsonField
          label={t("pauses.json")}
          value={before}
          schema={pause.where === "tool" ? schema : undefined}
          onChange={setAfter}
        />
        <div className="space-y-1.5">
          <h3 className="text-sm font-medium">{t("pauses.change")}</h3>
          {after && JSON.stringify(after) !== JSON.stringify(before) ? (
            <JsonDiff before={before} after={after} label={t("pauses.change")} />
          ) : (
            <p className="text-sm text-mute">{t("pauses.unchanged")}</p>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** What was written as the core takes it; null when it has another shape. */
function editOf({ pause: { where } }: PauseView, written: Record<string, unknown>): PauseEdit | null {
  const given =
    where === "tool"
      ? { where, arguments: written }
      : where === "hook"
        ? { where, payload: written }
        : { ...written, where };
  return pauseEditSchema.safeParse(given).data ?? null;
}
