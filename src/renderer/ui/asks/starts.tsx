import type { TFunction } from "i18next";
import { Download, PackageX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isThisComputer, type Starts } from "../../../contract/found/starts.ts";
import { CopyButton } from "../controls/copy-button.tsx";

/** How a plugin is started or where it is reached: the whole line, to read and to copy, and what to look at twice. */
export function StartsList({ starts }: { starts: Starts }) {
  const { t } = useTranslation();
  const { way, command, given, risks, openSecrets, missing, fetches, newest } = starts;
  const host = way === "address" ? hostOf(command) : null;
  return (
    <div className="space-y-2.5 text-sm">
      <div className="flex items-start rounded-md border border-line bg-sunk pl-3">
        <code className="figure min-w-0 flex-1 py-2 wrap-anywhere whitespace-pre-wrap">{command}</code>
        <CopyButton bare label={t("starts.copy")} text={() => command} />
      </div>
      {given.length > 0 && (
        <p className="text-mute">
          {t(way === "address" ? "starts.headers" : "starts.variables")}{" "}
          <code className="figure wrap-anywhere text-ink">{given.join(", ")}</code>
        </p>
      )}
      {way === "address" && <p className="font-medium">{whereItGoes(host, t)}</p>}
      {missing && (
        <Said icon={<PackageX className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden="true" />}>
          {t("starts.missing", { program: missing.program })}{" "}
          {missing.folders.length > 0 && (
            <span className="text-mute">
              {t("starts.looked")} <code className="figure wrap-anywhere">{missing.folders.join(", ")}</code>
            </span>
          )}
        </Said>
      )}
      {fetches && !missing && (
        <Said icon={<Download className="mt-0.5 size-4 shrink-0 text-mute" aria-hidden="true" />}>
          {t("starts.fetches")}
        </Said>
      )}
      {newest && <Said icon={warning}>{t("starts.newest")}</Said>}
      {risks.map((risk) => (
        <Said key={risk} icon={warning}>
          {t(`starts.risk.${risk}`)}
        </Said>
      ))}
      {openSecrets.length > 0 && (
        <Said icon={warning}>{t("starts.openSecrets", { names: openSecrets.join(", ") })}</Said>
      )}
    </div>
  );
}

const warning = <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />;

function Said({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2.5">
      {icon}
      <span className="min-w-0 text-pretty">{children}</span>
    </p>
  );
}

function whereItGoes(host: string | null, t: TFunction): string {
  if (host === null) return t("starts.leaves");
  return t(isThisComputer(host) ? "starts.staysHere" : "starts.leavesTo", { host });
}

/** The host of an address; null where a setting decides about it. */
function hostOf(address: string): string | null {
  const host = /^[a-z]+:\/\/([^/?#]*)/i.exec(address)?.[1] ?? "";
  return host === "" || host.includes("‹") ? null : host;
}
