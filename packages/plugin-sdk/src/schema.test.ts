import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parserOf, schemaOf } from "./schema.ts";

const schema = z.object({
  tools: z.object({
    url: z.url().meta({ title: "Address" }),
    limit: z.number().int().min(1).default(10).meta({ title: "Limit", description: "In seconds." }),
  }),
});

describe("schemaOf", () => {
  it("gives JSON Schema with titles, descriptions and defaults", () => {
    expect(schemaOf(schema)).toMatchObject({
      type: "object",
      required: ["tools"],
      properties: {
        tools: {
          type: "object",
          required: ["url"],
          properties: {
            url: { type: "string", title: "Address" },
            limit: { type: "integer", minimum: 1, default: 10, title: "Limit", description: "In seconds." },
          },
        },
      },
    });
  });
});

describe("parserOf", () => {
  const parse = parserOf(schema);

  it("fills in defaults", () => {
    expect(parse({ tools: { url: "https://example.com" } })).toEqual({
      tools: { url: "https://example.com", limit: 10 },
    });
  });

  it("throws one line for each wrong field, with its path", () => {
    expect(() => parse({ tools: { url: "no", limit: 0 } })).toThrow(/^tools\.url: .+\ntools\.limit: .+$/);
  });

  it("refuses a schema that parses later", () => {
    const later = parserOf(z.string().refine(async () => true));
    expect(() => later("x")).toThrow("must not be asynchronous");
  });
});
