import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { PluginAbout } from "../../../contract/found/plugin-about.ts";
import { OutsideLink } from "../../ui/controls/outside-link.tsx";

/** The pages outside that its author names. Rows for `Facts`; none where there are none. */
export function pageFacts(
  { documentation, support, repository, privacyPolicies = [] }: Omit<PluginAbout, "screenshots"> = {},
  t: TFunction,
): { label: string; value: ReactNode }[] {
  const page = (label: string, href: string | undefined) =>
    href === undefined ? [] : [{ label, value: <OutsideLink href={href} /> }];
  return [
    ...page(t("ownWords.documentation"), documentation),
    ...page(t("ownWords.support"), support),
    ...page(t("ownWords.repository"), repository),
    ...(privacyPolicies.length === 0
      ? []
      : [
          {
            label: t("ownWords.privacy"),
            value: (
              <ul className="space-y-0.5">
                {privacyPolicies.map((href) => (
                  <li key={href}>
                    <OutsideLink href={href} />
                  </li>
                ))}
              </ul>
            ),
          },
        ]),
  ];
}
