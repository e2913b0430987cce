import { type SyntheticEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OtlpSettings } from "../../../../contract/trace/live-traces.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { saveSettings } from "../../../store/save-settings.ts";
import { useAction } from "../../../ui/action.ts";
import { Field } from "../../../ui/controls/field.tsx";
import { FormButtons, focusOnce } from "../../../ui/controls/form-parts.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { draftOf, isAddress, isHeader, settingsOf } from "./receiver-draft.ts";

/** Where receivers of OpenTelemetry listen on this computer by default. */
const usualAddress = "http://localhost:4318";

/** Where traces are sent, and with which stored secret. */
export function ReceiverForm({ before, onClose }: { before: OtlpSettings | null; onClose(): void }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => draftOf(before));
  const [tried, setTried] = useState(false);
  const secrets = useSharedSecrets(draft.secret);
  const save = useAction(saveSettings);
  const { address, header, secret, contents } = draft;
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const badAddress = !isAddress(address);
  const badHeader = secret !== "" && !isHeader(header);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (badAddress || badHeader) return;
    if (await save.act({ otlp: settingsOf(draft, before) })) onClose();
  };
  return (
    <form onSubmit={submit} noValidate className="mt-4 space-y-4 border-t border-line pt-4">
      <Field
        label={t("live.address")}
        help={t("live.addressHelp")}
        error={tried && badAddress ? t("sources.notUrl") : undefined}
      >
        {(props) => (
          <input
            {...props}
            type="url"
            className="field font-mono text-sm"
            placeholder={usualAddress}
            value={address}
            onChange={(event) => change({ address: event.target.value })}
            ref={focusOnce}
          />
        )}
      </Field>
      <div className="grid gap-4 @xl:grid-cols-2">
        <Field label={t("live.secret")} help={t("live.secretHelp")} optional>
          {(props) => (
            <select
              {...props}
              className="field text-sm"
              value={secret}
              onChange={(event) => change({ secret: event.target.value })}
            >
              <option value="">{t("live.noKey")}</option>
              {secrets.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        {secret !== "" && (
          <Field
            label={t("live.header")}
            help={t("live.headerHelp")}
            error={tried && badHeader ? t("live.badHeader") : undefined}
          >
            {(props) => (
              <input
                {...props}
                className="field font-mono text-sm"
                value={header}
                onChange={(event) => change({ header: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={contents}
          onChange={(event) => change({ contents: event.target.checked })}
        />
        <span>
          {t("live.contents")}
          <span className="block text-xs text-mute">{t("live.contentsHelp")}</span>
        </span>
      </label>
      {save.problem && <ProblemNote problem={save.problem} />}
      <FormButtons verb={t(before ? "prefs.save" : "live.turnOn")} busy={save.busy} onClose={onClose} />
    </form>
  );
}

/** Names of the secrets that are not one agent's alone; the chosen one is among them even when it is gone. */
function useSharedSecrets(chosen: string): string[] {
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    rpc.secrets.list(undefined, { signal: leaving.signal }).then(
      (secrets) => setNames(secrets.flatMap(({ name, agentId }) => (agentId === null ? [name] : []))),
      () => {},
    );
    return () => leaving.abort();
  }, []);
  return chosen === "" || names.includes(chosen) ? names : [chosen, ...names];
}
