import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConfirmationAsked, ConfirmationWay } from "../../../contract/access.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useAction } from "../../ui/action.ts";
import { FormButtons, HiddenField } from "../../ui/controls/form-parts.tsx";
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
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (typed.trim() === "") return;
    if (await confirming.act(ways, typed)) onAnswer(true);
    else setTyped("");
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
        <HiddenField
          label={t(`person.field.${kind}`)}
          help={t(`person.help.${kind}`)}
          value={typed}
          onChange={setTyped}
          first
        />
        {confirming.problem && <ProblemNote problem={confirming.problem} />}
        <FormButtons verb={t("person.confirm")} busy={confirming.busy} onClose={() => onAnswer(false)} />
      </form>
    </Dialog>
  );
}
