import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { startI18n } from "../../base/i18n/index.ts";
import { voiceDraftOf, wrongVoice } from "./voice-draft.ts";
import { VoiceFields } from "./voice-fields.tsx";

const labels = (draft: ReturnType<typeof voiceDraftOf>) => {
  const fields = <VoiceFields draft={draft} wrong={wrongVoice(draft)} onChange={() => {}} />;
  const drawn = renderToStaticMarkup(fields);
  return {
    drawn,
    labels: Array.from(drawn.matchAll(/<label[^>]*>([^<]+)/g), ([, text]) => text),
    wrong: drawn.match(/aria-invalid="true"/g)?.length ?? 0,
  };
};
const service = { baseUrl: "https://api.openai.com/v1", model: "m", apiKey: "${KEY}" };

test("what is off asks for nothing more; what is on asks for its service", async () => {
  await startI18n("en");
  expect(labels(voiceDraftOf()).labels).toEqual(["Voice notes", "Spoken answers"]);
  const on = voiceDraftOf();
  on.listen.on = true;
  on.speak.when = "always";
  expect(labels(on)).toMatchObject({
    labels: [
      "Voice notes",
      "Address that listens",
      "Model that listens",
      "Key for listening",
      "Longest, in minutes",
      "Spoken answers",
      "Address that speaks",
      "Model that speaks",
      "Key for speaking",
      "Voice",
    ],
    wrong: 5,
  });
});

test("a stored key is named and never drawn; German screens read German", async () => {
  await startI18n("de");
  const { drawn, labels: words } = labels(
    voiceDraftOf({ listen: { ...service, maxMinutes: 5 }, speak: null }),
  );
  expect(words).toContain("Adresse der Spracherkennung");
  expect(drawn).toContain("${KEY}");
  expect(drawn).toMatch(/type="password"[^>]*value=""/);
});
