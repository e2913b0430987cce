import { dialog, shell } from "electron";
import { PatchbayError, toProblem } from "../../contract/index.ts";
import type { StoreAddress } from "../platform/platform.ts";
import { whereIs } from "../store/index.ts";
import { shellWords } from "./outside/words.ts";

/**
 * Exit code of a start that failed and has told the person why; `npm start` then does not try the browser shell
 * instead.
 */
const explained = 70;

/** Says why the app stops by itself; resolves when the person has read it. */
export async function explainStop(error: unknown): Promise<void> {
  console.error(error);
  const { message, help } = toProblem(error);
  const detail = help ? `${message}\n\n${help}` : message;
  await dialog.showMessageBox({ type: "error", message: shellWords().hasStopped, detail });
}

/**
 * Says why the app does not start; where another Patchbay owns the folder, offers to open that one instead.
 * @returns the exit code
 */
export async function explainFailedStart(error: unknown, store: StoreAddress): Promise<number> {
  const words = shellWords();
  const running = error instanceof PatchbayError && error.code === "HOME_IN_USE" && whereIs(store);
  if (!running) {
    console.error(error);
    const { message, help } = toProblem(error);
    dialog.showErrorBox(words.cannotStart, help ? `${message}\n\n${help}` : message);
    return explained;
  }
  const { response } = await dialog.showMessageBox({
    type: "info",
    message: words.alreadyOpen,
    detail: words.alreadyOpenDetail,
    buttons: [words.openInBrowser, words.close],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) await shell.openExternal(running.url);
  return 0;
}
