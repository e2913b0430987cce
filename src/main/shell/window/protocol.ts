import { protocol } from "electron";
import { appScheme } from "./app-address.ts";
import { answerFromFolder } from "./renderer-files.ts";

/** Registers `app://` as a scheme with an origin of its own. Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/** Serves the built renderer under `app://patchbay/`. */
export function serveRenderer(rendererDir: string): void {
  protocol.handle(appScheme, (request) => answerFromFolder(rendererDir, request));
}
