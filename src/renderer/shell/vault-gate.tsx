import { KeyRound, Lock, LockOpen } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { VaultStatus } from "../../contract/vault.ts";
import { rpc } from "../base/client/rpc.ts";
import { useMirror } from "../store/mirror.ts";
import { useVaultGate, vaultGate } from "../store/vault-gate.ts";
import { useAction } from "../ui/action.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Button } from "../ui/controls/button.tsx";
import { HiddenField } from "../ui/controls/form-parts.tsx";
import { ProblemNote } from "../ui/problem-note.tsx";

/** Shown before the screens while the stored secrets cannot be opened. The person may go on without them. */
export function VaultGate({ children }: { children: ReactNode }) {
  const vault = useMirror((state) => state.vault);
  const skipped = useVaultGate((state) => state.skipped);
  if (!vault || vault.open || skipped) return children;
  return (
    <main className="grid h-full animate-appear place-items-center overflow-y-auto px-8 py-10">
      {vault.canUnlock ? <Locked /> : <Closed vault={vault} />}
    </main>
  );
}

/** Across the top while the person goes on without the secrets. */
export function VaultBanner() {
  const { t } = useTranslation();
  const vault = useMirror((state) => state.vault);
  if (!vault || vault.open) return null;
  return (
    <div
      role="status"
      className="flex items-center gap-3 border-b border-warn/40 bg-warn-wash page-x py-2 text-sm"
    >
      <Lock className="size-4 shrink-0 text-warn" aria-hidden="true" />
      <p className="min-w-0 flex-1">
        <span className="font-medium">{t(vault.canUnlock ? "locked.banner" : "locked.bannerClosed")}</span>{" "}
        <span className="text-mute">{t("locked.bannerText")}</span>
      </p>
      <Button size="sm" onClick={vaultGate.show}>
        {t(vault.canUnlock ? "locked.unlock" : "locked.show")}
      </Button>
    </div>
  );
}

function keep(vault: VaultStatus): void {
  useMirror.setState({ vault });
}

const unlock = async (passphrase: string) => keep(await rpc.secrets.unlock({ passphrase }));
const retry = async () => keep(await rpc.secrets.retry());

function Locked() {
  const { t } = useTranslation();
  const [passphrase, setPassphrase] = useState("");
  const opening = useAction(unlock);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (passphrase !== "") void opening.act(passphrase);
  };
  return (
    <div className="w-full max-w-[440px]">
      <Emblem icon={<Lock className="size-6" aria-hidden="true" />} />
      <h1 className="title text-center">{t("locked.title")}</h1>
      <p className="mt-1 mb-6 text-center text-balance text-mute">{t("locked.text")}</p>
      <form
        onSubmit={submit}
        noValidate
        className="space-y-4 rounded-lg border border-line bg-surface px-5 py-5 shadow-card"
      >
        <HiddenField label={t("vault.passphrase")} value={passphrase} onChange={setPassphrase} first />
        {opening.problem && <ProblemNote problem={opening.problem} />}
        <div className="flex items-center justify-between gap-3">
          <Button look="quiet" className="-ml-3" onClick={vaultGate.skip}>
            {t("locked.skip")}
          </Button>
          <Button
            look="accent"
            type="submit"
            busy={opening.busy}
            disabled={passphrase === ""}
            icon={<LockOpen className="size-4" aria-hidden="true" />}
          >
            {t("locked.unlock")}
          </Button>
        </div>
      </form>
    </div>
  );
}

function Closed({ vault }: { vault: VaultStatus }) {
  const { t } = useTranslation();
  const folder = useMirror((state) => state.info?.folder ?? "");
  const [asking, setAsking] = useState(false);
  const again = useAction(retry);
  const steps = [t("locked.doOpen"), t("locked.doFile", { folder }), t("locked.doBackup")];
  const reasons = vault.keys.flatMap(({ reason }) => (reason === null ? [] : [reason]));
  return (
    <div className="w-full max-w-[560px]">
      <Emblem icon={<KeyRound className="size-6" aria-hidden="true" />} />
      <h1 className="title text-center">{t("locked.closedTitle")}</h1>
      <p className="mt-1 mb-6 text-center text-mute">{t("locked.closedText")}</p>
      <div className="space-y-4 rounded-lg border border-line bg-surface px-5 py-5 text-sm shadow-card">
        <section>
          <h2 className="mb-1 font-semibold">{t("locked.why")}</h2>
          {(reasons.length > 0 ? reasons : [vault.problem?.message ?? ""]).map((reason) => (
            <p key={reason} lang="en" className="break-words text-mute">
              {reason}
            </p>
          ))}
        </section>
        <section>
          <h2 className="mb-1 font-semibold">{t("locked.what")}</h2>
          <ul className="list-disc space-y-1 pl-5 break-words">
            {steps.map((step) => (
              <li key={step} className="text-mute">
                {step}
              </li>
            ))}
          </ul>
        </section>
        {again.problem && <ProblemNote problem={again.problem} />}
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line pt-4">
          <Button look="quiet" className="mr-auto -ml-3" onClick={vaultGate.skip}>
            {t("locked.skip")}
          </Button>
          <Button look="danger" onClick={() => setAsking(true)}>
            {t("locked.startOver")}
          </Button>
          <Button look="accent" busy={again.busy} onClick={() => void again.act()}>
            {t("locked.retry")}
          </Button>
        </div>
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t("locked.startOverTitle")}
        consequences={[t("locked.startOverAside"), t("locked.startOverPlugins")]}
        verb={t("locked.startOver")}
        danger
        run={async () => keep((await rpc.secrets.startOver()).vault)}
      />
    </div>
  );
}

function Emblem({ icon }: { icon: ReactNode }) {
  return (
    <div className="mx-auto mb-4 grid size-14 place-items-center rounded-xl border border-line bg-surface text-accent shadow-card">
      {icon}
    </div>
  );
}
