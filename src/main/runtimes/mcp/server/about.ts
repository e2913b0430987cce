import {
  mostLongDescription,
  type PluginAbout,
  type PluginWords,
  pageSchema,
} from "../../../../contract/index.ts";
import { cleanText } from "../../../../contract/shown/clean-text.ts";
import { pictureIn } from "../../../base/picture.ts";
import { readPackageFile } from "../../package-file.ts";
import { judgedWords } from "../../plugin-locales.ts";
import type { ServerFile } from "./server-file.ts";

/** Most bytes of a picture that shows the plugin at work. */
export const mostScreenshotBytes = 1024 * 1024;
/** Most pixels of its sides. */
export const mostScreenshotPixels = 8_192;
const MOST_SCREENSHOTS = 5;
const MOST_POLICIES = 10;

/**
 * What of a server's own words about itself is shown: addresses of https alone, pictures in its folder alone. What cannot be
 * used is left out. Undefined where nothing is left.
 */
export async function aboutOf(dir: string, { about = {} }: ServerFile): Promise<PluginAbout | undefined> {
  const {
    longDescription,
    documentation,
    support,
    repository,
    privacyPolicies = [],
    screenshots = [],
  } = about;
  const text = longDescription && cleanText(longDescription).trim().slice(0, mostLongDescription);
  const pages = Object.entries({ documentation, support, repository }).flatMap(([name, address]) => {
    const page = pageIn(address);
    return page === undefined ? [] : [[name, page] as const];
  });
  const policies = privacyPolicies.flatMap((address) => pageIn(address) ?? []).slice(0, MOST_POLICIES);
  const pictures: string[] = [];
  for (const name of screenshots) {
    if (pictures.length === MOST_SCREENSHOTS) break;
    if (await isScreenshot(dir, name)) pictures.push(name);
  }
  const shown: PluginAbout = {
    ...(text && { longDescription: text }),
    ...Object.fromEntries(pages),
    ...(policies.length > 0 && { privacyPolicies: policies }),
    ...(pictures.length > 0 && { screenshots: pictures }),
  };
  return Object.keys(shown).length > 0 ? shown : undefined;
}

/** The address of a page that is linked to: https, without a name and a password in it; undefined: it is none. */
export function pageIn(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  return pageSchema.safeParse(url.href).data;
}

/** Its texts in further languages, where they may stand for the ones that are shown otherwise. */
export function wordsOfServer({ words = {} }: ServerFile): PluginWords | undefined {
  const judged = Object.entries(words).flatMap(([language, texts]) => {
    const { translation } = judgedWords(texts, mostLongDescription);
    return Object.keys(translation).length > 0 ? [[language, translation] as const] : [];
  });
  return judged.length > 0 ? Object.fromEntries(judged) : undefined;
}

async function isScreenshot(dir: string, name: string): Promise<boolean> {
  const bytes = await readPackageFile(dir, name, mostScreenshotBytes).catch(() => "missing" as const);
  return typeof bytes !== "string" && pictureIn(bytes, mostScreenshotPixels) !== null;
}
