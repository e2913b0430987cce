import type { traceExportStrings as english } from "../../en/debug/trace-export.ts";

export const traceExportStrings: Record<keyof typeof english, string> = {
  "traceExport.export": "Exportieren",
  "traceExport.turn": "Diesen Durchgang sichern",
  "traceExport.session": "Die ganze Unterhaltung sichern",
  "traceExport.as.html": "Eine Seite",
  "traceExport.as.jsonl": "JSON-Zeilen",
  "traceExport.as.otlp": "OpenTelemetry-Spans",
  "traceExport.hint.html": "Für Menschen, in jedem Browser. Mit dem, was gesagt wurde.",
  "traceExport.hint.jsonl": "Für Programme, jedes Ereignis. Mit dem, was gesagt wurde.",
  "traceExport.hint.otlp": "Namen, Zahlen und Entscheidungen, nicht was gesagt wurde.",
  "traceExport.hint.otlpWhole": "Mit dem, was gesagt, gefragt und geantwortet wurde.",
  "traceExport.whole": "Die ganze Unterhaltung",
  "traceExport.contents": "Auch in den Spans, was gesagt wurde",
  "traceExport.saved": "Gesichert: {{path}}",
  "traceExport.downloaded": "{{name}} liegt bei Ihren Downloads.",
};
