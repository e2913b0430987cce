import { expect, test } from "vitest";
import { voiceSchema } from "../../../contract/agent.ts";
import { keysOf, voiceDraftOf, voiceOf, wrongVoice } from "./voice-draft.ts";

const service = { baseUrl: "https://api.openai.com/v1", model: "m", apiKey: "${KEY}" };
const voice = {
  listen: { ...service, maxMinutes: 5 },
  speak: { ...service, voice: "alloy", when: "always" as const },
};

test("settings that are shown and saved stay what they are", () => {
  expect(voiceOf(voiceDraftOf(voice))).toEqual(voice);
  expect(voiceOf(voiceDraftOf())).toEqual({ listen: null, speak: null });
  expect(voiceSchema.parse(voiceOf(voiceDraftOf(voice)))).toEqual(voice);
});

test("what is switched on needs its fields, what is off needs none; each wrong one says why", () => {
  const empty = voiceDraftOf();
  expect(wrongVoice(empty)).toEqual({});
  empty.listen.on = true;
  empty.speak.when = "voice";
  expect(wrongVoice(empty)).toEqual({
    "listen.baseUrl": "needed",
    "listen.model": "needed",
    "speak.baseUrl": "needed",
    "speak.model": "needed",
    "speak.voice": "needed",
  });
  const listens = (change: object) =>
    wrongVoice({
      ...voiceDraftOf(),
      listen: { ...empty.listen, model: "m", baseUrl: service.baseUrl, ...change },
    });
  expect(listens({})).toEqual({});
  for (const maxMinutes of ["0", "121", "1.5", "x", ""])
    expect(listens({ maxMinutes }), maxMinutes).toEqual({ "listen.maxMinutes": "minutes" });
  for (const baseUrl of ["api.openai.com", "ftp://x", "https://me:key@x.org/v1", "https://x.org/v1?key=1"])
    expect(listens({ baseUrl }), baseUrl).toEqual({ "listen.baseUrl": "address" });
});

test("a typed key goes to the agent's vault, and only its name into the settings", () => {
  const draft = voiceDraftOf({ ...voice, speak: null });
  draft.listen.key = "sk-new";
  draft.speak.key = "typed, then switched off";
  expect(keysOf(draft)).toEqual([{ name: "SPEECH_TO_TEXT_KEY", value: "sk-new" }]);
  expect(voiceOf(draft).listen).toMatchObject({ apiKey: "${SPEECH_TO_TEXT_KEY}" });
});
