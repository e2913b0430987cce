import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../base/client/rpc.ts";
import { useAction } from "../../ui/action.ts";
import { FormButtons, HiddenField } from "../../ui/controls/form-parts.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

const shortest = 8;

const store = async (passphrase: string, askAtStart: boolean) => {
  await rpc.secrets.setPassphrase({ passphrase, askAtStart });
  return true;
};

interface PassphraseFormProps {
  /** The passphrase is the vault's only key, so it is asked for at each start already. */
  isAlone: boolean;
  onClose(): void;
  onDone(): void;
}

export function PassphraseForm({ isAlone, onClose, onDone }: PassphraseFormProps) {
  const { t } = useTranslation();
  const [askAtStart, setAskAtStart] = useState(isAlone);
  const typed = useNewPassphrase();
  const save = useAction(store);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const passphrase = typed.take();
    if (passphrase !== null && (await save.act(passphrase, askAtStart))) onDone();
  };
  return (
    <form onSubmit={submit} noValidate className="mt-4 space-y-3.5 border-t border-line pt-4">
      {typed.fields}
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          className="mt-0.5 size-4 accent-accent"
          checked={askAtStart}
          onChange={(event) => setAskAtStart(event.target.checked)}
        />
        <span>
          <span className="font-medium">{t("vault.askAtStart")}</span>
          <span className="block text-xs text-mute">
            {t(askAtStart ? "vault.askAtStartHelp" : "vault.addsAWayIn")}
          </span>
        </span>
      </label>
      {save.problem && <ProblemNote problem={save.problem} />}
      <FormButtons verb={t("vault.setPassphrase")} busy={save.busy} onClose={onClose} />
    </form>
  );
}

/** A new passphrase, typed twice. `take` answers with it, or marks what is wrong and answers null. */
export function useNewPassphrase() {
  const { t } = useTranslation();
  const [passphrase, setPassphrase] = useState("");
  const [repeated, setRepeated] = useState("");
  const [tried, setTried] = useState(false);
  const isShort = passphrase.length < shortest;
  const differs = passphrase !== repeated;
  const fields = (
    <div className="grid gap-3.5 @lg:grid-cols-2">
      <HiddenField
        label={t("vault.passphrase")}
        help={t("vault.passphraseHelp")}
        error={tried && isShort ? t("vault.tooShort") : undefined}
        value={passphrase}
        onChange={setPassphrase}
        first
      />
      <HiddenField
        label={t("vault.repeat")}
        error={tried && !isShort && differs ? t("vault.differs") : undefined}
        value={repeated}
        onChange={setRepeated}
      />
    </div>
  );
  const take = (): string | null => {
    setTried(true);
    return isShort || differs ? null : passphrase;
  };
  return { fields, take };
}
