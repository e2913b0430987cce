import { useTranslation } from "react-i18next";
import type { ServerFacts } from "../../../../contract/offers/screen-offers.ts";
import { OutsideLink } from "../../../ui/controls/outside-link.tsx";
import { Block, Facts } from "../../../ui/well.tsx";

/** What a running server says of itself, and in which revision of its protocol it is spoken with. */
export function ServerSays({ server }: { server: ServerFacts }) {
  const { t } = useTranslation();
  const { name, version, title, icon, website, protocol, isModern, instructions, prompts } = server;
  const facts = [
    {
      label: t("starts.says.name"),
      value: (
        <span className="flex flex-wrap items-center gap-x-2">
          {icon && <img src={icon} alt="" className="size-5 rounded-sm object-cover" />}
          <bdi className="wrap-anywhere">{title ?? name}</bdi>
          {title !== null && title !== name && <span className="figure text-mute">{name}</span>}
          <span className="figure text-mute">{version}</span>
        </span>
      ),
    },
    ...(protocol === null
      ? []
      : [
          {
            label: t("starts.says.protocol"),
            value: (
              <span className="flex flex-wrap items-baseline gap-x-2">
                <span className="figure">{protocol}</span>
                <span className="text-mute">{t(isModern ? "starts.says.modern" : "starts.says.legacy")}</span>
              </span>
            ),
          },
        ]),
    ...(prompts.length > 0
      ? [
          {
            label: t("starts.says.prompts"),
            value: <span className="figure wrap-anywhere">{prompts.join(", ")}</span>,
          },
        ]
      : []),
    ...(website === null
      ? []
      : [
          {
            label: t("page.homepage"),
            value: <OutsideLink href={website} />,
          },
        ]),
  ];
  return (
    <Block title={t("starts.says.title")}>
      <Facts facts={facts} />
      {instructions !== "" && (
        <div className="mt-3 border-t border-line pt-3 text-sm">
          <p className="text-mute">{t("starts.says.instructions")}</p>
          <p className="mt-1 max-h-60 overflow-y-auto wrap-anywhere whitespace-pre-wrap">
            <bdi>{instructions}</bdi>
          </p>
        </div>
      )}
    </Block>
  );
}
