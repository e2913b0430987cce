import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";

interface HiddenFieldProps {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  value: string;
  first?: boolean;
  onChange(value: string): void;
}

/** A field for a secret: what is typed is not shown. */
export function HiddenField({ label, help, error, value, first, onChange }: HiddenFieldProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(props) => (
        <input
          {...props}
          type="password"
          autoComplete="off"
          className="field"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          ref={first ? focusOnce : null}
        />
      )}
    </Field>
  );
}

/** The end of a form: back, and what it does. */
export function FormButtons({ verb, busy, onClose }: { verb: string; busy: boolean; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onClose}>{t("common.cancel")}</Button>
      <Button look="accent" ahead type="submit" busy={busy}>
        {verb}
      </Button>
    </div>
  );
}

/** For a form that the person has just opened: its first field takes the focus. */
export function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}
