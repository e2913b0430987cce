import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Screen } from "../../../contract/access.ts";
import { rpc } from "../../base/client/rpc.ts";
import { formatAgo, formatMoment, useNow } from "../../base/i18n/time.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Block } from "../../ui/well.tsx";
import { useScreens } from "./use-screens.ts";

const end = (id: string) => rpc.access.endScreen({ id });

/** The pages that may use this Patchbay, each to be ended. The desktop's own window is none of them. */
export function ScreensBlock() {
  const { t } = useTranslation();
  const { screens, problem, look } = useScreens();
  const ending = useAction(end);
  const shown = ending.problem ?? problem;
  return (
    <Block title={t("screens.title")}>
      <p className="mb-3 text-sm text-mute">{t("screens.text", { command: "patchbay session link" })}</p>
      <ul className="divide-y divide-line">
        {screens.map((screen) => (
          <ScreenLine
            key={screen.id}
            screen={screen}
            busy={ending.busy}
            onEnd={() => void ending.act(screen.id).then(look)}
          />
        ))}
      </ul>
      {shown && <ProblemNote className="mt-3" problem={shown} />}
    </Block>
  );
}

/** The core names a page by what its browser says, in English: `Firefox on Linux`, `A browser`. */
function nameOf(name: string, t: TFunction): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(name) ?? [];
  const shown = (browser ?? name) === "A browser" ? t("screens.browser") : (browser ?? name);
  return system === undefined ? shown : t("screens.browserOn", { browser: shown, system });
}

function ScreenLine({ screen, busy, onEnd }: { screen: Screen; busy: boolean; onEnd(): void }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  return (
    <li className="flex items-center gap-3 py-2 text-sm">
      <span className="min-w-0 flex-1">
        <span className="font-medium">{nameOf(screen.name, t)}</span>
        <span className="block text-xs text-mute" title={formatMoment(screen.usedAt)}>
          {screen.current ? t("screens.current") : t("screens.used", { ago: formatAgo(screen.usedAt, now) })}
        </span>
      </span>
      {!screen.current && (
        <Button size="sm" busy={busy} onClick={onEnd}>
          {t("screens.end")}
        </Button>
      )}
    </li>
  );
}
