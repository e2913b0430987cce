import { CircleAlert, KeyRound, SlidersHorizontal } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { FoundServer } from "../../../contract/found/found-server.ts";
import { cx } from "../../ui/class-names.ts";

/** What a server becomes: its whole command, what comes along or has to be entered, and what is not taken over. */
export function ServerFacts({ server }: { server: FoundServer }) {
  const { t } = useTranslation();
  const { command, inputs, notes } = server;
  return (
    <div className="min-w-0 space-y-2">
      {command !== "" && (
        <p className="figure rounded-md bg-sunk px-2.5 py-1.5 text-xs break-all whitespace-pre-wrap">
          {command}
        </p>
      )}
      {inputs.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {inputs.map(({ name, secret, set }) => {
            const Icon = secret ? KeyRound : SlidersHorizontal;
            const words = secret ? (set ? "secret" : "secretOpen") : set ? "setting" : "settingOpen";
            return (
              <li
                key={name}
                className={cx(
                  "inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-sm border px-1.5 text-xs",
                  set ? "border-line text-mute" : "border-warn/40 text-ink",
                )}
              >
                <Icon className={cx("size-3 shrink-0", !set && "text-warn")} aria-hidden="true" />
                <span className="figure min-w-0 break-all text-ink">{name}</span>
                <span>{t(`bring.${words}`)}</span>
              </li>
            );
          })}
        </ul>
      )}
      {notes.length > 0 && (
        <ul className="space-y-1 text-sm">
          {notes.map((note) => (
            <li key={`${note.code} ${note.what}`} className="flex items-start gap-2">
              <CircleAlert className="mt-0.5 size-3.5 shrink-0 text-warn" aria-hidden="true" />
              <span className="min-w-0 break-words text-mute">
                {t(`bring.note.${note.code}`, { what: note.what, was: note.was ?? "" })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
