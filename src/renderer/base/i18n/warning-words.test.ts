import { afterAll, beforeAll, expect, test } from "vitest";
import { namesakeWarning } from "../../../contract/shown/look-alikes.ts";
import { i18n, startI18n } from "./index.ts";
import { warningWords } from "./warning-words.ts";

beforeAll(() => startI18n("de"));
afterAll(() => i18n.changeLanguage("en"));

test("that a package goes by a name of Patchbay's is said in German; what its author should mend stays English", () => {
  const guard = { displayName: "Guard", packageName: "not-the-guard" };
  const mend = "It has no licence.";
  expect(warningWords({ ...guard, warnings: [mend, namesakeWarning(guard)] }, i18n.t)).toEqual([
    { text: mend, lang: "en" },
    { text: "Es nennt sich Guard, wie etwas, das zu Patchbay gehört. Es ist das Paket not-the-guard." },
  ]);
});

test("a sentence that a package made up itself is not taken for Patchbay's", () => {
  const warning = namesakeWarning({ displayName: "Guard", packageName: "other" });
  expect(warningWords({ displayName: "Echo", packageName: "echo", warnings: [warning] }, i18n.t)).toEqual([
    { text: warning, lang: "en" },
  ]);
});
