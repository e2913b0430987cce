import { useTranslation } from "react-i18next";
import type { TraceFormat } from "../../../contract/procedures/debug/traces.ts";
import { download } from "../../base/client/download.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useMirror } from "../../store/mirror.ts";

interface Order {
  agentId: string;
  sessionId: string;
  turnId?: string;
  as: TraceFormat;
  contents: boolean;
}

/** Writes the file the way this shell does, and says where it is. */
export function useExport() {
  const { t, i18n } = useTranslation();
  const isDesktop = useMirror((state) => state.info?.shell === "desktop");
  return async (order: Order): Promise<string> => {
    const asked = { ...order, language: i18n.language === "de" ? ("de" as const) : ("en" as const) };
    if (isDesktop) {
      const { path } = await rpc.traces.save(asked);
      return t("traceExport.saved", { path });
    }
    const { fileName, mimeType, text } = await rpc.traces.export(asked);
    download(new Blob([text], { type: mimeType }), fileName);
    return t("traceExport.downloaded", { name: fileName });
  };
}
