import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConfirmationAsked, ConfirmationWay } from "../../../contract/access.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useAction } from "../../ui/action.ts";
import { Field } from "../../ui/controls/field.tsx";
import { FormButtons, focusOnce, HiddenField } from "../../ui/controls/form-parts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

async function confirm(ways: readonly ConfirmationWay[], typed: string) {
  const isCode =
    !ways.includes("passphrase") || (ways.includes("code") && /^\s*\d{3}\s*\d{3}\s*$/.test(typed));
  return rpc.access.confirm(isCode ? { code: typed } : { passphrase: typed });
}

interface PersonDialogProps {
  asked: ConfirmationAsked;
  onAnswer(confirmed: boolean): void;
}

/** Asks for the code at the terminal, or for the passphrase of the secrets. */
export function PersonDialog({ asked, onAnswer }: PersonDialogProps) {
  const { t } = useTranslation();
  const { act, ways } = asked;
  const [typed, setTyped] = useState("");
  const confirming = useAction(confirm);
  const kind = ways.length > 1 ? "either" : ways.includes("code") ? "code" : "passphrase";
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    if (typed.trim() === "") return;
    const field = event.currentTarget.querySelector("input");
    if (await confirming.act(ways, typed)) return onAnswer(true);
    setTyped("");
    field?.focus();
  };
  return (
    <Dialog
      open
      onClose={() => onAnswer(false)}
      title={t("person.title")}
      description={t(`person.act.${act}`)}
      width="sm"
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        {kind === "code" ? (
          <CodeField value={typed} onChange={setTyped} />
        ) : (
          <HiddenField
            label={t(`person.field.${kind}`)}
            help={t(`person.help.${kind}`)}
            value={typed}
            onChange={setTyped}
            first
          />
        )}
        {confirming.problem && <ProblemNote problem={confirming.problem} />}
        <FormButtons verb={t("person.confirm")} busy={confirming.busy} onClose={() => onAnswer(false)} />
      </form>
    </Dialog>
  );
}

/** The code holds for this moment alone, so it is shown while it is typed. */
function CodeField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const { t } = useTranslation();
  return (
    <Field label={t("person.field.code")} help={t("person.help.code")}>
      {(props) => (
        <input
          {...props}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          className="field font-mono tracking-wider"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          ref={focusOnce}
        />
      )}
    </Field>
  );
}
