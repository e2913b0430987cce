import { useTranslation } from "react-i18next";
import type { ToolTrace } from "../../../../contract/turn.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { asksIn } from "./asks-in.ts";

/** Who asked for what in a tool call beside the answers, but for what stands in the conversation anyway. */
export function AskedFor({ trace }: { trace: ToolTrace }) {
  return asksIn(trace).map((ask) => <Asked key={ask.owner} {...ask} />);
}

function Asked({ owner, kinds }: ReturnType<typeof asksIn>[number]) {
  const { t } = useTranslation();
  const plugin = useDisplayName(owner) ?? owner;
  const what = kinds.map((kind) => t(`said.kind.${kind}`)).join(", ");
  return <p className="mt-1.5 text-xs text-mute">{t("said.askedFor", { plugin, what })}</p>;
}
