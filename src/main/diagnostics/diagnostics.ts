import { randomUUID } from "node:crypto";
import { strToU8, zipSync } from "fflate";
import { type DiagnosticsReport, PatchbayError } from "../../contract/index.ts";
import { saveNew } from "../store/index.ts";
import { createRedactor } from "./redactor.ts";
import { type Draft, gatherDrafts } from "./sections.ts";
import type { DiagnosticsSources } from "./sources.ts";

/** How many reports are kept in memory; the oldest goes first. */
const kept = 4;
/** Most bytes of one file of the report; of a longer text the end is kept. */
const mostBytes = 1024 * 1024;

interface Gathered {
  report: DiagnosticsReport;
  texts: ReadonlyMap<string, string>;
}

/**
 * Reports for somebody who helps, with every secret taken out. A report is gathered once and kept, so that the archive
 * holds exactly what the person was shown.
 */
export class Diagnostics {
  readonly #sources: DiagnosticsSources;
  readonly #reports = new Map<string, Gathered>();

  constructor(sources: DiagnosticsSources) {
    this.#sources = sources;
  }

  async gather(): Promise<DiagnosticsReport> {
    const { vault, platform } = this.#sources;
    const redact = createRedactor({
      byValue: (text) => vault.redact(text),
      names: vault.list().map(({ name }) => name),
    });
    const at = new Date().toISOString();
    const drafts = await gatherDrafts(this.#sources);
    const about: Draft = { name: "README.txt", topic: "about", text: aboutText(at, platform.version) };
    const texts = new Map([about, ...drafts].map(({ name, text }) => [name, redact(endOf(text))]));
    const report: DiagnosticsReport = {
      id: randomUUID(),
      at,
      fileName: `patchbay-diagnostics-${at.slice(0, 19).replaceAll(/[:T]/g, "-")}.zip`,
      files: [about, ...drafts].map(({ name, topic }) => ({
        name,
        topic,
        bytes: Buffer.byteLength(texts.get(name) ?? ""),
      })),
    };
    this.#keep({ report, texts });
    return report;
  }

  /** The text of one file. @throws PatchbayError NOT_FOUND */
  text(id: string, name: string): string {
    const text = this.#find(id).texts.get(name);
    if (text === undefined) throw new PatchbayError("NOT_FOUND", `There is no file ${name} in the report.`);
    return text;
  }

  /** The archive, without the files that the person left out. @throws PatchbayError NOT_FOUND, BAD_INPUT */
  archive(id: string, leaveOut: readonly string[]): { fileName: string; bytes: Uint8Array<ArrayBuffer> } {
    const { report, texts } = this.#find(id);
    const unknown = leaveOut.find((name) => !texts.has(name));
    if (unknown !== undefined) {
      throw new PatchbayError("BAD_INPUT", `There is no file ${unknown} in the report.`);
    }
    const mtime = new Date(report.at);
    const files = [...texts].filter(([name]) => !leaveOut.includes(name));
    const bytes = zipSync(
      Object.fromEntries(files.map(([name, text]) => [name, [strToU8(text), { mtime }]])),
    );
    return { fileName: report.fileName, bytes: new Uint8Array(bytes) };
  }

  /**
   * Writes the archive to the person's downloads folder, under a new name; nothing there is overwritten.
   *
   * @returns the path of the file
   * @throws PatchbayError NOT_FOUND, BAD_INPUT where there is no such folder, DISK_FULL, WRITE_FAILED
   */
  async save(id: string, leaveOut: readonly string[]): Promise<string> {
    const { downloads } = this.#sources.platform;
    const { fileName, bytes } = this.archive(id, leaveOut);
    if (downloads === undefined) {
      throw new PatchbayError("BAD_INPUT", "This Patchbay has no folder for downloads.", {
        help: "Take the archive over the page, or run `patchbay diagnostics export`.",
      });
    }
    return saveNew(downloads, fileName, bytes);
  }

  #keep(gathered: Gathered): void {
    this.#reports.set(gathered.report.id, gathered);
    for (const id of [...this.#reports.keys()].slice(0, -kept)) this.#reports.delete(id);
  }

  #find(id: string): Gathered {
    const found = this.#reports.get(id);
    if (found) return found;
    throw new PatchbayError("NOT_FOUND", "That report is not kept any more.", { help: "Gather it again." });
  }
}

function aboutText(at: string, version: string): string {
  return [
    `What Patchbay ${version} looked like at ${at}, for somebody who helps.`,
    "",
    "Every stored secret, token and sign-in was taken out, and what looks like one: ••• stands in its place.",
    "~ stands for the person's home folder and name in paths.",
    "",
    "versions.json    which Patchbay, on what",
    "checks.json      what `patchbay doctor` finds",
    "settings.json    settings of Patchbay; agents.json, plugins.json: what there is",
    "instances.json   each plugin of each agent: switch, state, settings, last error, its process",
    "logs/            what plugins logged since the start",
    "jobs.json        installations and what went wrong with them",
    "audit.jsonl      what was done last",
    "traces/          the last turns of each agent, with what was said",
    "secrets.json     names of the stored secrets and who uses them, never a value",
    "store.json       sizes, permissions and health of the files in Patchbay's folder",
    "process.json     what Patchbay and the plugins' processes take",
    "notices.json     what Patchbay told on its own",
    "",
  ].join("\n");
}

/** The end of a long text, from the beginning of a line. */
function endOf(text: string): string {
  if (text.length <= mostBytes) return text;
  const cut = text.slice(-mostBytes);
  return `… ${text.length - mostBytes} characters before this were left out.\n${cut.slice(cut.indexOf("\n") + 1)}`;
}
