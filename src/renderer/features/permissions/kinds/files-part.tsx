import { Folder, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Grants } from "../../../../contract/grants.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import { ChooseButton } from "../../places/public.ts";
import { withFiles, withFolder } from "../grant-edits.ts";
import { ReachChoice } from "./reach-choice.tsx";

interface PartProps {
  grants: Grants;
  /** Whether its plugin system lets it ask language servers about what it may read. */
  asksAboutCode: boolean;
  onChange(grants: Grants): void;
}

const accesses = ["none", "read", "write"] as const;

/** The workspace, and folders that the person chose. */
export function FilesPart({ grants, asksAboutCode, onChange }: PartProps) {
  const { t } = useTranslation();
  const { workspace, folders } = grants.files;
  return (
    <>
      <ReachChoice
        label={t("permissions.workspace")}
        value={workspace}
        options={accesses.map((value) => ({
          value,
          label: t(`permissions.files.${value}`),
          help: t(`permissions.files.${value}Text`),
        }))}
        onChange={(value) => onChange(withFiles(grants, { workspace: value }))}
      />
      {asksAboutCode && workspace !== "none" && (
        <p className="text-xs text-mute">{t("permissions.files.code")}</p>
      )}
      <section aria-label={t("permissions.folders")}>
        <h3 className="mb-1.5 text-xs font-medium text-mute">{t("permissions.folders")}</h3>
        {folders.length > 0 && (
          <ul className="mb-2 divide-y divide-line rounded-md border border-line">
            {folders.map(({ path, access }) => (
              <li key={path} className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1 pr-1 pl-3">
                <Folder className="size-4 shrink-0 text-mute" aria-hidden="true" />
                <bdi className="figure min-w-0 flex-1 basis-40 truncate" title={cleanLine(path)}>
                  {cleanLine(path)}
                </bdi>
                <select
                  className="field h-7 w-auto py-0 text-xs"
                  aria-label={t("permissions.folders.access", { path })}
                  value={access}
                  onChange={(event) =>
                    onChange(withFolder(grants, path, event.target.value === "write" ? "write" : "read"))
                  }
                >
                  <option value="read">{t("permissions.files.read")}</option>
                  <option value="write">{t("permissions.files.write")}</option>
                </select>
                <button
                  type="button"
                  aria-label={t("permissions.remove", { name: path })}
                  onClick={() => onChange(withFolder(grants, path, null))}
                  className="grid size-7 shrink-0 place-items-center rounded-md text-mute hover:text-bad"
                >
                  <X className="size-3.5" aria-hidden="true" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <ChooseButton kind="folder" onChosen={(path) => onChange(withFolder(grants, path, "read"))} />
          {folders.length > 0 && (
            <p
              className={folders.some(({ path }) => path === "/") ? "text-xs text-bad" : "text-xs text-mute"}
            >
              {folders.some(({ path }) => path === "/")
                ? t("permissions.folders.all")
                : t("permissions.folders.hidden")}
            </p>
          )}
        </div>
      </section>
    </>
  );
}
