/**
 * The welcome as numbered pictures, and a line about the person's pace, from the real app: with a model that runs on this
 * computer and without one, by mouse and by keyboard alone. Part `welcome` of run.ts.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { chromiumPath } from "../support/chromium.ts";
import { ServedCore } from "../support/core.ts";
import { Pace } from "../support/pace.ts";
import { Surroundings, throughWelcome } from "../support/through-welcome.ts";
import { photograph, themes, usual } from "./photograph.ts";

const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
const place = await mkdtemp(join(tmpdir(), "patchbay-film-"));
try {
  for (const hand of ["mouse", "keyboard"] as const)
    for (const withModel of [true, false])
      for (const theme of themes) {
        const name = `welcome-${withModel ? "model" : "none"}-${hand}`;
        const home = join(place, `${name}-${theme}`);
        await mkdir(home);
        await using around = await Surroundings.open();
        const core = await ServedCore.start(home, [], around.env(withModel));
        const context = await browser.newContext({
          viewport: usual,
          colorScheme: theme,
          reducedMotion: "reduce",
        });
        try {
          const page = await context.newPage();
          await core.openIn(page);
          const pace = new Pace(page, hand);
          let number = 0;
          const shoot = (what: string) => {
            number += 1;
            return photograph(page, `${name}-${number}-${what}`, theme, usual);
          };
          await throughWelcome({ page, home, pace, site: around.site, withModel, shoot });
          const { presses, tabs, characters } = pace;
          console.log(
            `${name} ${theme}: ${presses} presses, ${tabs} tabs, ${characters} characters, ${Math.round(pace.seconds())} s`,
          );
        } finally {
          await context.close();
          await core.stop();
        }
      }
} finally {
  await browser.close();
  await rm(place, { recursive: true, force: true });
}
