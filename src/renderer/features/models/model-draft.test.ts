import { describe, expect, it } from "vitest";
import type { OfferedProvider } from "../../../contract/offers/provider-plan.ts";
import {
  configOf,
  draftOf,
  draftOfKind,
  draftVia,
  fieldsOf,
  missingFields,
  secretNameOf,
} from "./model-draft.ts";

const lab: OfferedProvider = {
  plugin: "lab",
  name: "lab",
  kind: "openai-compatible",
  baseUrl: "https://lab.example/v1",
  keyVariable: "OPENAI_API_KEY",
  isNear: false,
};
const openai = draftOf({ kind: "openai", model: "gpt", apiKey: "${OPENAI_API_KEY}" });

describe("a plugin's provider", () => {
  it("never takes the key of another model along", () => {
    const draft = { ...draftVia(openai, lab, true), model: "tiny" };
    expect(configOf(draft)).toEqual({
      kind: "openai-compatible",
      model: "tiny",
      baseUrl: "https://lab.example/v1",
      via: "lab",
    });
    expect(missingFields(draft)).toEqual(["key"]);
  });

  it("gets a stored key when the person says so, and only then", () => {
    const draft = { ...draftVia(openai, lab, true), model: "lab/tiny", agreed: true };
    expect(missingFields(draft)).toEqual([]);
    expect(configOf(draft)).toMatchObject({ model: "tiny", apiKey: "${OPENAI_API_KEY}" });
    expect(draftVia(draft, lab, true).agreed).toBe(false);
  });

  it("does not overwrite a stored key with the one that is typed for it", () => {
    const taken = { ...draftVia(openai, lab, true), model: "tiny", key: "typed" };
    expect(secretNameOf(taken)).toBe("LAB_OPENAI_API_KEY");
    expect(configOf(taken)).toMatchObject({ apiKey: "${LAB_OPENAI_API_KEY}" });
    const free = { ...draftVia(openai, lab, false), model: "tiny", key: "typed" };
    expect(configOf(free)).toMatchObject({ apiKey: "${OPENAI_API_KEY}" });
  });

  it("that wants no key is asked for none", () => {
    const draft = {
      ...draftVia(openai, { ...lab, kind: "anthropic", keyVariable: null }, false),
      model: "tiny",
    };
    expect(fieldsOf(draft)).toEqual(["model"]);
    expect(configOf(draft)).toMatchObject({ kind: "anthropic", apiKey: "none", via: "lab" });
  });

  it("leaves neither its address nor its key behind", () => {
    const saved = draftOf({
      kind: "anthropic",
      model: "tiny",
      apiKey: "${LAB_KEY}",
      baseUrl: "https://lab.example",
      via: "lab",
    });
    expect(configOf(saved)).toMatchObject({
      apiKey: "${LAB_KEY}",
      baseUrl: "https://lab.example",
      via: "lab",
    });
    const back = draftOfKind(saved, "anthropic");
    expect({ ...back, via: "" }).toMatchObject({ baseUrl: "", keyReference: "", key: "" });
    expect(missingFields(back)).toEqual(["key"]);
  });
});
