import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "../../ui/controls/field.tsx";
import type { ServiceDraft, VoiceDraft, VoiceField, VoicePart, WrongFields } from "./voice-draft.ts";

interface VoiceFieldsProps {
  draft: VoiceDraft;
  wrong: WrongFields;
  onChange(draft: VoiceDraft): void;
}

const times = ["never", "voice", "always"] as const;
const address = "https://api.openai.com/v1";
const box = "rounded-lg border border-line bg-sunk px-4 py-3.5";
const models = { listen: "whisper-1", speak: "tts-1" } as const;
/** A voice by its name, which is the same in every language. */
const voice = "alloy";

/** What listens to the agent's voice notes, and what speaks its answers. */
export function VoiceFields({ draft, wrong, onChange }: VoiceFieldsProps) {
  const { t } = useTranslation();
  const { listen, speak } = draft;
  const setListen = (change: Partial<VoiceDraft["listen"]>) =>
    onChange({ ...draft, listen: { ...listen, ...change } });
  const setSpeak = (change: Partial<VoiceDraft["speak"]>) =>
    onChange({ ...draft, speak: { ...speak, ...change } });
  const errorOf = (field: VoiceField) => {
    const why = wrong[field];
    return why && t(why === "needed" ? "field.needed" : `voice.wrong.${why}`);
  };
  return (
    <>
      <fieldset className={box}>
        <legend className="sr-only">{t("voice.listen")}</legend>
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
          <ServiceFields part="listen" draft={listen} errorOf={errorOf} onChange={setListen}>
            <Field label={t("voice.maxMinutes")} error={errorOf("listen.maxMinutes")}>
              {(props) => (
                <input
                  {...props}
                  className="field"
                  inputMode="numeric"
                  value={listen.maxMinutes}
                  onChange={(event) => setListen({ maxMinutes: event.target.value })}
                />
              )}
            </Field>
          </ServiceFields>
        )}
      </fieldset>
      <fieldset className={box}>
        <legend className="sr-only">{t("voice.speak")}</legend>
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
          <ServiceFields part="speak" draft={speak} errorOf={errorOf} onChange={setSpeak}>
            <Field label={t("voice.voice")} help={t("voice.voiceHelp")} error={errorOf("speak.voice")}>
              {(props) => (
                <input
                  {...props}
                  className="field font-mono text-sm"
                  autoComplete="off"
                  spellCheck={false}
                  value={speak.voice}
                  placeholder={voice}
                  onChange={(event) => setSpeak({ voice: event.target.value })}
                />
              )}
            </Field>
          </ServiceFields>
        )}
      </fieldset>
    </>
  );
}

interface ServiceFieldsProps {
  part: VoicePart;
  draft: ServiceDraft;
  errorOf(field: VoiceField): string | undefined;
  onChange(change: Partial<ServiceDraft>): void;
  /** What stands beside the key. */
  children: ReactNode;
}

function ServiceFields({ part, draft, errorOf, onChange, children }: ServiceFieldsProps) {
  const { t } = useTranslation();
  const stored = draft.keyReference !== "";
  return (
    <div className="mt-3.5 grid gap-x-3 gap-y-3.5 @lg:grid-cols-[3fr_2fr]">
      <Field label={t(`voice.${part}.baseUrl`)} error={errorOf(`${part}.baseUrl`)}>
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
      <Field label={t(`voice.${part}.model`)} error={errorOf(`${part}.model`)}>
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
            className="field text-sm"
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={draft.key}
            placeholder={t(stored ? "voice.keyReplace" : "model.keyPlaceholder")}
            onChange={(event) => onChange({ key: event.target.value })}
          />
        )}
      </Field>
      {children}
    </div>
  );
}
