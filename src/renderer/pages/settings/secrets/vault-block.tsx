import type { TFunction } from "i18next";
import { KeyRound, Lock, ShieldCheck, ShieldQuestion } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { VaultStatus } from "../../../../contract/vault.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { PassphraseForm } from "../../../features/vault/vault-passphrase.tsx";
import { useMirror } from "../../../store/mirror.ts";
import { Confirm } from "../../../ui/confirm.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { Block } from "../../../ui/well.tsx";
import { BackupForm, ImportForm, RestoreForm } from "./vault-transfer.tsx";

type Form = "passphrase" | "backup" | "restore" | "import";

/** How the secrets are encrypted, in plain words, and the ways to export and import them. */
export function VaultBlock({ onChanged }: { onChanged(): void }) {
  const { t } = useTranslation();
  const vault = useMirror((state) => state.vault);
  const [form, setForm] = useState<Form | null>(null);
  const [removing, setRemoving] = useState(false);
  const [told, setTold] = useState<string[]>([]);
  if (!vault) return null;
  const hasPassphrase = vault.keys.some(({ kind }) => kind === "passphrase");
  const open = (next: Form) => {
    setTold([]);
    setForm(next);
  };
  const finish = (lines: string[]) => {
    setForm(null);
    setTold(lines);
    onChanged();
  };
  const close = () => setForm(null);
  return (
    <Block title={t("vault.title")}>
      <Keys vault={vault} />
      <div role="status" className="space-y-1">
        {told.map((line) => (
          <p key={line} className="mt-3 text-sm font-medium break-words text-ok">
            {line}
          </p>
        ))}
      </div>
      {form === null && vault.open && (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button onClick={() => open("passphrase")}>
            {hasPassphrase ? t("vault.changePassphrase") : t("vault.setPassphrase")}
          </Button>
          {hasPassphrase && <Button onClick={() => setRemoving(true)}>{t("vault.removePassphrase")}</Button>}
          <span className="flex-1" />
          <Button onClick={() => open("backup")}>{t("vault.backup")}</Button>
          <Button onClick={() => open("restore")}>{t("vault.restore")}</Button>
          <Button onClick={() => open("import")}>{t("vault.import")}</Button>
        </div>
      )}
      {form === "passphrase" && (
        <PassphraseForm
          onClose={close}
          onDone={() => finish([t("vault.passphraseSet")])}
          isAlone={hasPassphrase && vault.keys.length === 1}
        />
      )}
      {form === "backup" && <BackupForm onClose={close} onDone={finish} />}
      {form === "restore" && <RestoreForm onClose={close} onDone={finish} />}
      {form === "import" && <ImportForm onClose={close} onDone={finish} />}
      <Confirm
        open={removing}
        onClose={() => setRemoving(false)}
        title={t("vault.removeTitle")}
        consequences={[whatOpensThen(vault, t), t("vault.removeBackups")]}
        verb={t("vault.removePassphrase")}
        danger
        run={async () => {
          await rpc.secrets.setPassphrase({ passphrase: null });
          finish([t("vault.passphraseRemoved")]);
        }}
      />
    </Block>
  );
}

type Translate = TFunction;

function whatOpensThen(vault: VaultStatus, t: Translate): string {
  const other = vault.keys.find(({ opens }) => opens === true);
  if (other) return t("vault.removeText", { key: t(`vault.with.${other.kind}`, { name: other.name }) });
  return t("vault.removeNoOther", { key: t(vault.hasKeychain ? "vault.theKeychain" : "vault.theKeyfile") });
}

function keyName({ kind, name }: VaultStatus["keys"][number], t: Translate): string {
  return t(`vault.key.${kind}`, { name });
}

function Keys({ vault }: { vault: VaultStatus }) {
  const { t } = useTranslation();
  const { keys, hasKeychain } = vault;
  const keychain = keys.find(({ kind, opens }) => kind === "keychain" && opens);
  const keyfile = keys.find(({ kind, opens }) => kind === "keyfile" && opens);
  const passphrase = keys.some(({ kind }) => kind === "passphrase");
  const Icon = keyfile
    ? ShieldQuestion
    : keys.length === 0
      ? KeyRound
      : passphrase && !keychain
        ? Lock
        : ShieldCheck;
  return (
    <div className="flex items-start gap-3">
      <Icon
        className={keyfile ? "mt-0.5 size-5 shrink-0 text-warn" : "mt-0.5 size-5 shrink-0 text-ok"}
        aria-hidden="true"
      />
      <div className="min-w-0 flex-1 text-sm">
        {keys.length === 0 && <p>{t("vault.empty")}</p>}
        {keychain && <p>{t("vault.keychain", { name: keychain.name })}</p>}
        {keyfile && !keychain && <p>{t(hasKeychain ? "vault.keyfile" : "vault.keyfileNoKeychain")}</p>}
        {passphrase && (
          <p className={keychain || keyfile ? "mt-1 text-mute" : ""}>
            {t(keychain || keyfile ? "vault.passphraseToo" : "vault.passphraseAlone")}
          </p>
        )}
        {keys.length > 0 && (
          <ul className="mt-2.5 space-y-1">
            {keys.map((key) => (
              <li key={`${key.kind}/${key.name}`} className="text-xs text-mute">
                <span className="font-medium text-ink">{keyName(key, t)}</span>{" "}
                {key.opens === null ? t("vault.opensTyped") : t(key.opens ? "vault.opens" : "vault.opensNot")}
                {key.reason && <span lang="en">. {key.reason}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
