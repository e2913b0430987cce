import { type ChangeEvent, type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { download } from "../../../base/client/download.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useNewPassphrase } from "../../../features/vault/vault-passphrase.tsx";
import { useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { Field } from "../../../ui/controls/field.tsx";
import { FormButtons, HiddenField } from "../../../ui/controls/form-parts.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";

interface FormProps {
  onClose(): void;
  /** What was done, in sentences. */
  onDone(lines: string[]): void;
}

const formLook = "mt-4 space-y-3.5 border-t border-line pt-4";
const backUp = (passphrase: string, save: boolean) => rpc.secrets.backup({ passphrase, save });
const restore = (backup: string, passphrase: string, replace: boolean) =>
  rpc.secrets.restore({ backup, passphrase, replace });
const importText = (text: string, replace: boolean) => rpc.secrets.import({ text, replace });

/** All secrets in one encrypted file. */
export function BackupForm({ onClose, onDone }: FormProps) {
  const { t } = useTranslation();
  const isDesktop = useMirror((state) => state.info?.shell === "desktop");
  const typed = useNewPassphrase();
  const save = useAction(backUp);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const passphrase = typed.take();
    const made = passphrase === null ? undefined : await save.act(passphrase, isDesktop);
    if (!made) return;
    if (made.path !== null) return onDone([t("vault.backedUpTo", { path: made.path })]);
    download(new Blob([made.backup], { type: "application/json" }), made.fileName);
    onDone([t("vault.backedUp", { name: made.fileName })]);
  };
  return (
    <form onSubmit={submit} noValidate aria-label={t("vault.backupTitle")} className={formLook}>
      <FormTitle title={t("vault.backupTitle")} help={t("vault.backupHelp")} />
      {typed.fields}
      {save.problem && <ProblemNote problem={save.problem} />}
      <FormButtons verb={t("vault.makeBackup")} busy={save.busy} onClose={onClose} />
    </form>
  );
}

export function RestoreForm({ onClose, onDone }: FormProps) {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const [passphrase, setPassphrase] = useState("");
  const [replace, setReplace] = useState(false);
  const [tried, setTried] = useState(false);
  const run = useAction(restore);
  const words = useBroughtIn();
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!file || passphrase === "") return;
    const result = await run.act(await file.text(), passphrase, replace);
    if (result) onDone(words(result));
  };
  return (
    <form onSubmit={submit} noValidate aria-label={t("vault.restoreTitle")} className={formLook}>
      <FormTitle title={t("vault.restoreTitle")} />
      <div className="grid gap-3.5 @lg:grid-cols-2">
        <Field label={t("vault.file")} error={tried && !file ? t("vault.fileNeeded") : undefined}>
          {(props) => (
            <input
              {...props}
              type="file"
              className="field file:mr-3 file:border-0 file:bg-transparent file:font-medium file:text-ink"
              onChange={(event) => setFile(event.target.files?.[0] ?? null)}
            />
          )}
        </Field>
        <HiddenField
          label={t("vault.passphrase")}
          error={tried && passphrase === "" ? t("field.needed") : undefined}
          value={passphrase}
          onChange={setPassphrase}
        />
      </div>
      <Replace checked={replace} onChange={setReplace} />
      {run.problem && <ProblemNote problem={run.problem} />}
      <FormButtons verb={t("vault.doRestore")} busy={run.busy} onClose={onClose} />
    </form>
  );
}

/** What another program kept, as text or from a file. */
export function ImportForm({ onClose, onDone }: FormProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [replace, setReplace] = useState(false);
  const [tried, setTried] = useState(false);
  const run = useAction(importText);
  const words = useBroughtIn();
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (text.trim() === "") return;
    const result = await run.act(text, replace);
    if (result) onDone(words(result));
  };
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    if (file) setText(await file.text());
  };
  const examples = { old: "$" + "{{NAME}}", reference: "$" + "{NAME}" };
  return (
    <form onSubmit={submit} noValidate aria-label={t("vault.importTitle")} className={formLook}>
      <FormTitle title={t("vault.importTitle")} help={t("vault.importHelp", examples)} />
      <Field
        label={t("vault.importText")}
        error={tried && text.trim() === "" ? t("field.needed") : undefined}
      >
        {(props) => (
          <textarea
            {...props}
            rows={5}
            spellCheck={false}
            autoComplete="off"
            className="field h-auto py-2 font-mono text-sm"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Field label={t("vault.chooseFile")} optional>
        {(props) => (
          <input
            {...props}
            type="file"
            className="field file:mr-3 file:border-0 file:bg-transparent file:font-medium file:text-ink"
            onChange={(event) => void read(event)}
          />
        )}
      </Field>
      <Replace checked={replace} onChange={setReplace} />
      {run.problem && <ProblemNote problem={run.problem} />}
      <FormButtons verb={t("vault.doImport")} busy={run.busy} onClose={onClose} />
    </form>
  );
}

function FormTitle({ title, help }: { title: string; help?: string }) {
  return (
    <div>
      <h3 className="text-sm font-semibold">{title}</h3>
      {help && <p className="mt-0.5 text-sm text-mute">{help}</p>}
    </div>
  );
}

function Replace({ checked, onChange }: { checked: boolean; onChange(checked: boolean): void }) {
  const { t } = useTranslation();
  return (
    <label className="flex items-center gap-2.5 text-sm">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {t("vault.replaceStored")}
    </label>
  );
}

function useBroughtIn() {
  const { t } = useTranslation();
  return ({ stored, kept }: { stored: string[]; kept: string[] }): string[] => [
    stored.length === 0
      ? t("vault.storedNone")
      : t("vault.storedCount", { count: stored.length, names: stored.join(", ") }),
    ...(kept.length === 0 ? [] : [t("vault.keptCount", { count: kept.length, names: kept.join(", ") })]),
  ];
}
