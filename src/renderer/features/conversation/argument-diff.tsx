import { useTranslation } from "react-i18next";
import { exactText } from "../../../contract/shown/clean-text.ts";
import { argumentText } from "../approvals/public.ts";

interface ArgumentDiffProps {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/** How a hook changed the arguments, line by line. */
export function ArgumentDiff({ before, after }: ArgumentDiffProps) {
  const { t } = useTranslation();
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <div className="figure max-h-64 overflow-auto rounded-md bg-sunk py-1.5">
      {names.map((name) => {
        const was = Object.hasOwn(before, name) ? argumentText(before[name]) : null;
        const is = Object.hasOwn(after, name) ? argumentText(after[name]) : null;
        if (was === is) return <Line key={name} sign=" " name={name} text={is ?? ""} />;
        return (
          <div key={name}>
            {was !== null && <Line sign="-" name={name} text={was} label={t("diff.before")} />}
            {is !== null && <Line sign="+" name={name} text={is} label={t("diff.after")} />}
          </div>
        );
      })}
    </div>
  );
}

const lineTones = { " ": "text-mute", "-": "bg-bad-wash text-ink", "+": "bg-ok-wash text-ink" } as const;

const signTones = { " ": "", "-": "font-bold text-bad", "+": "font-bold text-ok" } as const;

interface LineProps {
  sign: keyof typeof lineTones;
  name: string;
  text: string;
  label?: string;
}

function Line({ sign, name, text, label }: LineProps) {
  return (
    <div className={`flex gap-2 px-3 ${lineTones[sign]}`}>
      <span className={signTones[sign]} aria-hidden="true">
        {sign}
      </span>
      {label && <span className="sr-only">{label}</span>}
      <span className="shrink-0 text-mute">{exactText(name)}</span>
      <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">{text}</span>
    </div>
  );
}
