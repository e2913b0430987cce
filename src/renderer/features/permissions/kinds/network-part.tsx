import { useTranslation } from "react-i18next";
import type { Grants } from "../../../../contract/grants.ts";
import { isHostRule, withNetwork } from "../grant-edits.ts";
import { NameList } from "./name-list.tsx";
import { ReachChoice } from "./reach-choice.tsx";

interface PartProps {
  grants: Grants;
  onChange(grants: Grants): void;
}

const reaches = ["none", "hosts", "any"] as const;

function accept(text: string): string | null {
  const host = text.trim().toLowerCase();
  return isHostRule(host) ? host : null;
}

/** How far it reaches, the hosts that it may reach, and those that it is refused. */
export function NetworkPart({ grants, onChange }: PartProps) {
  const { t } = useTranslation();
  const { reach, hosts, refused } = grants.network;
  const words = { example: t("permissions.hosts.example"), wrong: t("permissions.hosts.wrong"), accept };
  return (
    <>
      <ReachChoice
        label={t("permissions.network.label")}
        value={reach}
        options={reaches.map((value) => ({
          value,
          label: t(`permissions.network.${value}`),
          help: t(`permissions.network.${value}Text`),
        }))}
        onChange={(value) => onChange(withNetwork(grants, { reach: value }))}
      />
      {reach !== "none" && (
        <NameList
          {...words}
          title={t("permissions.hosts")}
          names={hosts}
          add={t("permissions.hosts.add")}
          {...(reach === "hosts" && { empty: t("permissions.hosts.none") })}
          onChange={(names) => onChange(withNetwork(grants, { hosts: names }))}
        />
      )}
      {reach !== "none" && (
        <NameList
          {...words}
          title={t("permissions.refusedHosts")}
          names={refused}
          add={t("permissions.refusedHosts.add")}
          onChange={(names) => onChange(withNetwork(grants, { refused: names }))}
        />
      )}
    </>
  );
}
