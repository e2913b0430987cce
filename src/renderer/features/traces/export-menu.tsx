import { ChevronDown, Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TraceFormat } from "../../../contract/procedures/debug/traces.ts";
import { useAction } from "../../ui/action.ts";
import { announce } from "../../ui/announce.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Menu, MenuHeading, MenuItem, MenuSeparator, MenuTick } from "../../ui/controls/menu.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { useExport } from "./use-export.ts";

const formats: TraceFormat[] = ["html", "jsonl", "otlp"];

interface ExportMenuProps {
  agentId: string;
  sessionId: string;
  turnId: string;
}

/** Saves the turn that is looked at, or its whole conversation, as a file for others. */
export function ExportMenu({ agentId, sessionId, turnId }: ExportMenuProps) {
  const { t } = useTranslation();
  const exporting = useAction(useExport());
  const [whole, setWhole] = useState(false);
  const [contents, setContents] = useState(false);
  const [told, setTold] = useState<string | null>(null);
  const save = async (as: TraceFormat) => {
    setTold(null);
    const place = { agentId, sessionId, ...(!whole && { turnId }) };
    const sentence = await exporting.act({ ...place, as, contents: as === "otlp" && contents });
    if (sentence === undefined) return;
    setTold(sentence);
    announce(sentence);
  };
  return (
    <div className="flex min-w-0 flex-wrap items-center justify-end gap-x-3 gap-y-1">
      {told && <span className="min-w-0 text-xs break-all text-ok">{told}</span>}
      <Menu
        align="end"
        className="w-80"
        trigger={
          <Button size="sm" busy={exporting.busy} icon={<Download className="size-3.5" aria-hidden="true" />}>
            {t("traceExport.export")}
            <ChevronDown className="size-3.5 text-hint" aria-hidden="true" />
          </Button>
        }
      >
        <MenuHeading>{t(whole ? "traceExport.session" : "traceExport.turn")}</MenuHeading>
        {formats.map((as) => (
          <MenuItem key={as} onSelect={() => void save(as)}>
            <span className="min-w-0">
              <span className="block">{t(`traceExport.as.${as}`)}</span>
              <span className="block text-xs text-mute">
                {t(as === "otlp" && contents ? "traceExport.hint.otlpWhole" : `traceExport.hint.${as}`)}
              </span>
            </span>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuTick checked={whole} onChange={setWhole}>
          {t("traceExport.whole")}
        </MenuTick>
        <MenuTick checked={contents} onChange={setContents}>
          {t("traceExport.contents")}
        </MenuTick>
      </Menu>
      {exporting.problem && <ProblemNote className="basis-full" problem={exporting.problem} />}
    </div>
  );
}
