import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SecretKey } from "../../../../contract/plugin.ts";
import { useMirror } from "../../../store/mirror.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Field } from "../../../ui/controls/field.tsx";

interface SecretFieldsProps {
  secrets: SecretKey[];
  stored: Record<string, boolean>;
  /** Typed now and not saved; an empty text removes what is stored. */
  values: Record<string, string>;
  errors: Record<string, string>;
  onChange(values: Record<string, string>): void;
}

/** Fields for secrets. Stored values are never shown: the page knows only whether one is stored. */
export function SecretFields({ secrets, stored, values, errors, onChange }: SecretFieldsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="rounded-lg border border-line bg-surface px-5 py-4">
      <legend className="sr-only">{t("secret.title")}</legend>
      <p className="mb-3 flex items-center gap-2 text-sm font-semibold" aria-hidden="true">
        <KeyRound className="size-4 text-mute" />
        {t("secret.title")}
      </p>
      <div className="space-y-4">
        {secrets.map((secret) => (
          <SecretField
            key={secret.path.join(".")}
            secret={secret}
            stored={stored[secret.key] ?? false}
            value={values[secret.key]}
            error={errors[secret.key]}
            onChange={(value) => {
              const { [secret.key]: _, ...others } = values;
              onChange(value === undefined ? others : { ...others, [secret.key]: value });
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface SecretFieldProps {
  secret: SecretKey;
  stored: boolean;
  value: string | undefined;
  error: string | undefined;
  onChange(value: string | undefined): void;
}

function SecretField({ secret, stored, value, error, onChange }: SecretFieldProps) {
  const { t } = useTranslation();
  const [replacing, setReplacing] = useState(false);
  const typing = !stored || replacing || (value !== undefined && value !== "");
  const removing = stored && value === "";
  const putIn = useMirror((state) => state.walls?.stands === true) && secret.sentOnlyTo;
  return (
    <div data-secret={secret.key}>
      <Field
        label={secret.label}
        optional={secret.optional ?? false}
        error={error}
        help={
          secret.help || secret.url || putIn ? (
            <>
              {secret.help} {putIn && t("consent.secretPutIn", { hosts: putIn.join(", ") })}{" "}
              {secret.url && (
                <a
                  href={secret.url}
                  target="_blank"
                  rel="noreferrer"
                  className="underline decoration-line-strong underline-offset-2 hover:text-ink"
                >
                  {t("secret.where")}
                </a>
              )}
            </>
          ) : undefined
        }
      >
        {(control) =>
          typing && !removing ? (
            <div className="flex gap-2">
              <input
                {...control}
                type="password"
                className="field h-8 min-w-0 flex-1"
                autoComplete="off"
                spellCheck={false}
                value={value ?? ""}
                placeholder={secret.placeholder ?? t("secret.placeholder")}
                onChange={(event) => onChange(event.target.value || undefined)}
              />
              {stored && (
                <Button
                  look="quiet"
                  onClick={() => {
                    setReplacing(false);
                    onChange(undefined);
                  }}
                >
                  {t("secret.keep")}
                </Button>
              )}
            </div>
          ) : (
            <div className="flex items-center gap-2">
              <output
                id={control.id}
                className="flex h-8 min-w-0 flex-1 items-center gap-2.5 rounded-md border border-line bg-sunk px-2.5 text-sm text-mute"
              >
                {!removing && (
                  <span className="tracking-[0.2em]" aria-hidden="true">
                    ••••••••
                  </span>
                )}
                {removing ? t("secret.removed") : t("secret.stored")}
              </output>
              <Button onClick={() => (removing ? onChange(undefined) : setReplacing(true))}>
                {removing ? t("secret.keep") : t("secret.replace")}
              </Button>
              {!removing && (
                <Button look="danger" onClick={() => onChange("")}>
                  {t("secret.remove")}
                </Button>
              )}
            </div>
          )
        }
      </Field>
    </div>
  );
}
