import { useTranslation } from "react-i18next";
import { holdsItself, type Insight } from "../../../contract/asks.ts";
import type { Grants } from "../../../contract/grants.ts";
import { isObject } from "../../../contract/is-object.ts";
import type { PluginView } from "../../../contract/plugin.ts";
import { warningWords } from "../../base/i18n/warning-words.ts";
import { OwnWords, Screenshots } from "../../features/about/public.ts";
import { AdviceNote } from "../../features/catalogue/public.ts";
import { DecidingBlock } from "../../features/channel/deciding-block.tsx";
import { ReviewDialog, ReviewNote } from "../../features/offered/public.ts";
import { WallLine } from "../../features/permissions/public.ts";
import { LackNote } from "../../features/plugins/lack-note.tsx";
import { stepWords } from "../../features/plugins/step-words.ts";
import { usePluginActions } from "../../features/plugins/use-plugin-actions.ts";
import { currentProblem, healthOf, nextStep, tones } from "../../model/health.ts";
import { pluginLines } from "../../model/permission-lines.ts";
import type { Row } from "../../model/rows.ts";
import { useMirror } from "../../store/mirror.ts";
import { AsksList } from "../../ui/asks/asks-list.tsx";
import { InsightList, RiskBadge } from "../../ui/asks/insight-list.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Block, Facts } from "../../ui/well.tsx";
import { ServerSays } from "./about/server-says.tsx";
import { SourceFacts } from "./about/source-facts.tsx";
import { Contributions } from "./contributions.tsx";
import { LinkedFolderNote } from "./linked-folder-note.tsx";
import { NotBuiltNote } from "./not-built-note.tsx";
import { SecretQuestions } from "./secret-questions.tsx";

/** What the plugin adds to this agent, what it asked for, and where it came from. */
export function OverviewTab({ row }: { row: Row }) {
  const { t } = useTranslation();
  const actions = usePluginActions(row.agentId, row.key);
  const problem = currentProblem(row);
  const health = healthOf(row);
  const step = nextStep(problem, health, row.plugin);
  const plugin = row.plugin;
  const { leftOut = [], notes = [], insights, server } = row.view?.instance.contributions ?? {};

  return (
    <div className="space-y-4 page-x py-5">
      {plugin && <LinkedFolderNote plugin={plugin} />}
      {plugin?.advice && <AdviceNote advice={plugin.advice} />}
      {plugin && <ReviewNote agentId={row.agentId} plugin={plugin} />}
      {plugin && <ReviewDialog agentId={row.agentId} plugin={plugin} />}
      <NotBuiltNote row={row} actions={actions} />
      <LackNote row={row} />
      <SecretQuestions row={row} />
      {problem && problem.code !== "SECRET_NOT_GIVEN" && step !== "signInAgain" && (
        <ProblemNote
          problem={problem}
          tone={tones[health] === "warn" ? "warn" : "bad"}
          action={
            step &&
            step !== "activity" && (
              <Button look="accent" size="sm" onClick={() => actions.takeStep(step)}>
                {stepWords(step, problem, t)}
              </Button>
            )
          }
        />
      )}
      <div className="grid items-start gap-4 @4xl/page:grid-cols-[1fr_380px]">
        <div className="space-y-4">
          {plugin && <Screenshots plugin={plugin} />}
          {plugin?.declaration.about?.longDescription && (
            <OwnWords text={plugin.declaration.about.longDescription} />
          )}
          <Contributions row={row} />
        </div>
        <div className="space-y-4">
          {plugin?.capabilities.channel && row.view && (
            <DecidingBlock
              agentId={row.agentId}
              pluginKey={row.key}
              decides={row.view.decidesApprovals}
              hasOwners={namesOwners(row.view.config)}
            />
          )}
          {plugin && <Reach plugin={plugin} granted={row.view?.grants} />}
          <Insights agreed={plugin?.consent.insights} real={insights} />
          {leftOut.length > 0 && (
            <Block title={t("page.leftOut")}>
              <p className="text-sm text-mute">{t("page.leftOutText")}</p>
              <ul className="mt-1 space-y-1 text-sm text-warn">
                {leftOut.map((sentence) => (
                  <li key={sentence}>
                    <bdi>{sentence}</bdi>
                  </li>
                ))}
              </ul>
            </Block>
          )}
          {notes.length > 0 && (
            <Block title={t("page.notes")}>
              <ul className="space-y-1 text-sm text-mute">
                {notes.map((sentence) => (
                  <li key={sentence} lang="en">
                    <bdi>{sentence}</bdi>
                  </li>
                ))}
              </ul>
            </Block>
          )}
          {server && <ServerSays server={server} />}
          {plugin && <SourceFacts plugin={plugin} />}
          {plugin && plugin.warnings.length > 0 && (
            <Block title={t("consent.warnings")}>
              <ul className="space-y-1 text-sm text-warn">
                {warningWords(plugin, t).map(({ text, lang }) => (
                  <li key={text} lang={lang}>
                    {text}
                  </li>
                ))}
              </ul>
            </Block>
          )}
          {!plugin && row.view && (
            <Block title={t("page.kept")}>
              <Facts
                facts={[
                  {
                    label: t("page.settingsKept"),
                    value: String(Object.keys(row.view.config).length > 0 ? t("common.yes") : t("common.no")),
                  },
                ]}
              />
            </Block>
          )}
        </div>
      </div>
    </div>
  );
}

/** What goes through it: what its files name, and apart from that what its code does besides. */
function Insights({ agreed, real = [] }: { agreed: Insight[] | undefined; real: Insight[] | undefined }) {
  const { t } = useTranslation();
  if (agreed === undefined) return null;
  const undeclared = real.filter((insight) => !agreed.includes(insight));
  return (
    <Block title={t("risk.title")}>
      <div className="space-y-2.5">
        <RiskBadge insights={[...agreed, ...undeclared]} />
        <InsightList insights={agreed} undeclared={undeclared} />
      </div>
    </Block>
  );
}

/** What it may reach, as a fact where something holds it to that now, and as its claim where nothing does. */
function Reach({ plugin, granted }: { plugin: PluginView; granted: Grants | undefined }) {
  const { t } = useTranslation();
  const walled = useMirror((state) => state.walls?.stands === true);
  const limitsPrograms = useMirror((state) => state.walls?.limitsPrograms === true);
  const isHeld = walled || holdsItself(plugin);
  return (
    <Block title={t(isHeld ? "page.reach" : "consent.permissions")}>
      <div className="space-y-2.5">
        <AsksList lines={pluginLines(plugin, granted, walled, limitsPrograms)} />
        <WallLine enforced={isHeld} />
      </div>
    </Block>
  );
}

/** In rows of older versions, naming owners was how deciding from a chat was allowed. */
function namesOwners({ channel }: Record<string, unknown>): boolean {
  if (!isObject(channel)) return false;
  return [channel.owners, channel.patchbay_owners].some((list) => Array.isArray(list) && list.length > 0);
}
