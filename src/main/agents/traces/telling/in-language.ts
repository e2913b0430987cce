import type { Language } from "../../../../contract/index.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";
import type { Words } from "./words.ts";

export const wordsIn: Record<Language, Words> = { en: english, de: german };
