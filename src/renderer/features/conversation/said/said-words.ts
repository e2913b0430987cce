import type { TFunction } from "i18next";
import type { PluginSaid } from "../../../../contract/effects/effects.ts";
import { problemLine } from "../../../base/i18n/problem-words.ts";

type Line = { text: string; tone: "quiet" | "warn" | "bad" };

/** What a plugin left in a conversation as one line; null for what is drawn as a block. */
export function lineOf(said: PluginSaid, t: TFunction): Line | null {
  switch (said.kind) {
    case "notify":
      return { text: said.text, tone: tones[said.level] };
    case "nextModel":
      return { text: t("said.nextModel", { model: said.model }), tone: "quiet" };
    case "thinkingLevel":
      return { text: t("said.thinking", { level: t(`said.level.${said.level}`) }), tone: "quiet" };
    case "refused":
      return { text: refusal(said.why, t), tone: "warn" };
    case "entry":
    case "customMessage":
      return null;
  }
}

const tones = { info: "quiet", warn: "warn", error: "bad" } as const;

function refusal(why: Extract<PluginSaid, { kind: "refused" }>["why"], t: TFunction): string {
  switch (why.kind) {
    case "unknown_model":
      return t("said.unknownModel", { model: why.model });
    case "run_over":
      return t("said.runOver");
    case "too_many_runs":
      return t("said.tooManyRuns");
    case "in_chat":
      return t("said.inChat");
    case "failed":
      return problemLine(why.problem);
  }
}

/** Whether the person sees it. */
export function isShown(said: PluginSaid): boolean {
  return said.kind !== "entry" && said.kind !== "customMessage" ? true : said.display;
}
