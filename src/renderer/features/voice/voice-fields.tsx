import { useTranslation } from "react-i18next";
import { Field } from "../../ui/controls/field.tsx";
import type { ServiceDraft, VoiceDraft, VoiceField, VoicePart } from "./voice-draft.ts";

interface VoiceFieldsProps {
  draft: VoiceDraft;
  missing: readonly VoiceField[];
  onChange(draft: VoiceDraft): void;
}

const times = ["never", "voice", "always"] as const;
const address = "https://api.openai.com/v1";
const models = { listen: "whisper-1", speak: "tts-1" } as const;

/** What listens to the agent's voice notes, and what speaks its answers. */
export function VoiceFields({ draft, missing, onChange }: VoiceFieldsProps) {
  const { t } = useTranslation();
  const { listen, speak } = draft;
  const needed = (field: VoiceField) => (missing.includes(field) ? t("field.needed") : undefined);
  const setListen = (change: Partial<VoiceDraft["listen"]>) =>
    onChange({ ...draft, listen: { ...listen, ...change } });
  const setSpeak = (change: Partial<VoiceDraft["speak"]>) =>
    onChange({ ...draft, speak: { ...speak, ...change } });
  return (
    <fieldset className="space-y-3.5 rounded-lg border border-line bg-sunk px-4 py-3.5">
      <legend className="sr-only">{t("voice.title")}</legend>
      <Field label={t("voice.listen")} help={t("voice.listenHelp")}>
        {(props) => (
          <select
            {...props}
            className="field"
            value={listen.on ? "on" : "off"}
            onChange={(event) => setListen({ on: event.target.value === "on" })}
          >
            <option value="off">{t("voice.listen.off")}</option>
            <option value="on">{t("voice.listen.on")}</option>
          </select>
        )}
      </Field>
      {listen.on && (
        <>
          <ServiceFields part="listen" draft={listen} needed={needed} onChange={setListen} />
          <Field label={t("voice.maxMinutes")} error={needed("listen.maxMinutes")}>
            {(props) => (
              <input
                {...props}
                className="field w-24"
                inputMode="numeric"
                value={listen.maxMinutes}
                onChange={(event) => setListen({ maxMinutes: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
      <Field label={t("voice.speak")} help={t("voice.speakHelp")}>
        {(props) => (
          <select
            {...props}
            className="field"
            value={speak.when}
            onChange={(event) =>
              setSpeak({ when: times.find((known) => known === event.target.value) ?? "never" })
            }
          >
            {times.map((when) => (
              <option key={when} value={when}>
                {t(`voice.speak.${when}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {speak.when !== "never" && (
        <>
          <ServiceFields part="speak" draft={speak} needed={needed} onChange={setSpeak} />
          <Field label={t("voice.voice")} help={t("voice.voiceHelp")} error={needed("speak.voice")}>
            {(props) => (
              <input
                {...props}
                className="field font-mono text-sm"
                autoComplete="off"
                spellCheck={false}
                value={speak.voice}
                placeholder="alloy"
                onChange={(event) => setSpeak({ voice: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
    </fieldset>
  );
}

interface ServiceFieldsProps {
  part: VoicePart;
  draft: ServiceDraft;
  needed(field: VoiceField): string | undefined;
  onChange(change: Partial<ServiceDraft>): void;
}

function ServiceFields({ part, draft, needed, onChange }: ServiceFieldsProps) {
  const { t } = useTranslation();
  const stored = draft.keyReference !== "";
  return (
    <>
      <Field label={t(`voice.${part}.baseUrl`)} error={needed(`${part}.baseUrl`)}>
        {(props) => (
          <input
            {...props}
            className="field"
            autoComplete="off"
            spellCheck={false}
            value={draft.baseUrl}
            placeholder={address}
            onChange={(event) => onChange({ baseUrl: event.target.value })}
          />
        )}
      </Field>
      <Field label={t(`voice.${part}.model`)} error={needed(`${part}.model`)}>
        {(props) => (
          <input
            {...props}
            className="field font-mono text-sm"
            autoComplete="off"
            spellCheck={false}
            value={draft.model}
            placeholder={models[part]}
            onChange={(event) => onChange({ model: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={t(`voice.${part}.key`)}
        optional
        help={stored ? t("model.keyStored", { name: draft.keyReference }) : undefined}
      >
        {(props) => (
          <input
            {...props}
            className="field font-mono text-sm"
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={draft.key}
            placeholder={t(stored ? "model.keyReplace" : "model.keyPlaceholder")}
            onChange={(event) => onChange({ key: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
