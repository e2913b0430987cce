import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { codex } from "./codex.ts";
import { gemini, goose, opencode } from "./command-lines.ts";
import { cline, cursor, lmStudio, others, windsurf, zed } from "./editors.ts";
import type { ClientFile, Elsewhere } from "./place.ts";
import { vscode } from "./vscode.ts";

/** All files of other programs in which servers may stand, whether they are there or not. */
export async function allFiles(at: Elsewhere): Promise<ClientFile[]> {
  return [
    ...claudeDesktop(at),
    ...claudeCode(at),
    ...cursor(at),
    ...(await vscode(at)),
    ...windsurf(at),
    ...zed(at),
    ...cline(at),
    ...codex(at),
    ...gemini(at),
    ...lmStudio(at),
    ...goose(at),
    ...opencode(at),
    ...others(at),
  ];
}
