import { z } from "zod";
import { cleanLine, cleanText } from "../../../../contract/shown/clean-text.ts";
import { readPackageFile } from "../../package-file.ts";
import type { Bundle } from "./bundle.ts";
import type { ServerFile } from "./server-file.ts";

/** Most bytes of a bundle's texts in one language. */
const MOST_BYTES = 256 * 1024;
const usualPlace = "mcpb-resources/${locale}.json";
const usualLanguage = "en-US";

/** Under which names the texts of a language are looked for, in this order. */
const locales = {
  en: ["en-US", "en", "en-GB"],
  de: ["de-DE", "de", "de-AT", "de-CH"],
} as const;
type Language = keyof typeof locales;

const text = z.string().optional().catch(undefined);
const textsSchema = z.object({
  description: text,
  long_description: text,
  user_config: z.record(z.string(), z.object({ title: text, description: text })).catch({}),
});
type Texts = z.infer<typeof textsSchema>;

/**
 * A bundle whose texts are English, where it has them in English, and what stands in their place in German. Its name, and what
 * its tools are called and said to do, is the same in every language: a name is what one knows it by, and a model is told the rest.
 */
export async function inLanguages(
  dir: string,
  bundle: Bundle,
): Promise<{ bundle: Bundle; words: ServerFile["words"] }> {
  const { localization } = bundle;
  if (!localization) return { bundle, words: undefined };
  const own = new Intl.Locale(localization.default_locale ?? usualLanguage).language;
  const place = localization.resources ?? usualPlace;
  const textsIn = async (language: Language) =>
    own === language ? textsOf(bundle) : await textsAt(dir, place, language);
  const english = await textsIn("en");
  const german = await textsIn("de");
  const shown = english === null ? bundle : withTexts(bundle, english);
  return { bundle: shown, words: german === null ? undefined : { de: pairs(textsOf(shown), german) } };
}

async function textsAt(dir: string, place: string, language: Language): Promise<Texts | null> {
  if (!place.includes("${locale}")) return null;
  for (const locale of locales[language]) {
    const name = place.replaceAll("${locale}", locale);
    const bytes = await readPackageFile(dir, name, MOST_BYTES).catch(() => "missing" as const);
    if (typeof bytes === "string") continue;
    return textsSchema.safeParse(json(bytes)).data ?? null;
  }
  return null;
}

function json(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
}

function textsOf({ description, long_description, user_config = {} }: Bundle): Texts {
  return { description, long_description, user_config };
}

function withTexts(bundle: Bundle, { description, long_description, user_config }: Texts): Bundle {
  const fields = Object.entries(bundle.user_config ?? {}).map(([key, field]) => {
    const said = Object.hasOwn(user_config, key) ? user_config[key] : undefined;
    return [
      key,
      {
        ...field,
        ...(said?.title && { title: said.title }),
        ...(said?.description && { description: said.description }),
      },
    ] as const;
  });
  return {
    ...bundle,
    ...(description && { description }),
    ...(long_description && { long_description }),
    ...(bundle.user_config && { user_config: Object.fromEntries(fields) }),
  };
}

/** Text for text, each in the form in which it is shown. */
function pairs(from: Texts, to: Texts): Record<string, string> {
  const found: [string | undefined, string | undefined][] = [
    [from.description, to.description].map((one) => one && cleanLine(one)) as [string, string],
    [from.long_description, to.long_description].map((one) => one && cleanText(one).trim()) as [
      string,
      string,
    ],
    ...Object.entries(from.user_config).flatMap(([key, field]) => {
      const said = Object.hasOwn(to.user_config, key) ? to.user_config[key] : undefined;
      return (["title", "description"] as const).map((part): [string | undefined, string | undefined] => [
        field[part] && cleanLine(field[part]).slice(0, 500),
        said?.[part] && cleanLine(said[part]).slice(0, 500),
      ]);
    }),
  ];
  return Object.fromEntries(
    found.flatMap(([before, after]) =>
      before && after && before !== after ? [[before, after] as const] : [],
    ),
  );
}
