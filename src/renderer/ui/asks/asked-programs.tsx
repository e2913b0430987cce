import { useTranslation } from "react-i18next";
import type { Asks } from "../../../contract/asks.ts";
import { Badge } from "../badge.tsx";

/** The commands that a plugin names, each with what its manifest says of it. */
export function AskedCommands({ commands }: { commands: NonNullable<Asks["commands"]> }) {
  const { t } = useTranslation();
  return (
    <ul className="space-y-1.5">
      {commands.map(({ name, description, dangerous }) => (
        <li key={name} className="text-sm break-words">
          <code className="figure font-semibold">{name}</code>{" "}
          {dangerous && <Badge>{t("asked.dangerous")}</Badge>} <bdi className="text-mute">{description}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** The programs that a plugin wants to run at certain moments. */
export function AskedHooks({ hooks }: { hooks: NonNullable<Asks["hooks"]> }) {
  const { t } = useTranslation();
  return (
    <ul className="space-y-1.5">
      {hooks.map(({ name, command, runs }) => (
        <li key={name} className="text-sm">
          <code className="figure font-semibold">{name}</code>{" "}
          <span className="text-mute">{t(runs ? "asked.runs" : "asked.neverRuns")}</span>
          <code className="figure mt-0.5 block break-all">{command}</code>
        </li>
      ))}
    </ul>
  );
}
