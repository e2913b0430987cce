import { useTranslation } from "react-i18next";
import type { ShellNetwork } from "../../../contract/agent.ts";
import { isHostRule, NameList, ReachChoice } from "../permissions/public.ts";

interface ShellNetworkFieldProps {
  value: ShellNetwork;
  onChange(value: ShellNetwork): void;
}

const reaches = ["none", "hosts", "any"] as const;

function accept(text: string): string | null {
  const host = text.trim().toLowerCase();
  return isHostRule(host) ? host : null;
}

/** What the commands of an agent reach, and the hosts of which the person is not asked any more. Holds a form. */
export function ShellNetworkField({ value, onChange }: ShellNetworkFieldProps) {
  const { t } = useTranslation();
  return (
    <div className="mt-5 space-y-3 border-t border-line pt-4">
      <ReachChoice
        label={t("agents.shellNetwork")}
        value={value.reach}
        options={reaches.map((reach) => ({
          value: reach,
          label: t(`agents.shellNetwork.${reach}`),
          help: t(`agents.shellNetwork.${reach}Text`),
        }))}
        onChange={(reach) => onChange({ ...value, reach })}
      />
      {value.reach !== "none" && (
        <NameList
          title={t("agents.shellNetwork.allowed")}
          names={value.hosts}
          add={t("permissions.hosts.add")}
          example="localhost:3000"
          wrong={t("permissions.hosts.wrong")}
          accept={accept}
          onChange={(hosts) => onChange({ ...value, hosts })}
        />
      )}
    </div>
  );
}
