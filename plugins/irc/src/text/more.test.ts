import { describe, expect, it } from "vitest";
import { BOLD, countLines, ITALIC, MONOSPACE, toLines, withoutFormatting } from "./formatting.ts";
import { toIrc } from "./markdown.ts";
import { inParts } from "./more.ts";

const b = (text: string) => `${BOLD}${text}${BOLD}`;
const m = (text: string) => `${MONOSPACE}${text}${MONOSPACE}`;

describe("Markdown", () => {
  it.each([
    ["# A *title*", b(`A ${ITALIC}title${ITALIC}`)],
    ["**bold** and `code *x*`", `${b("bold")} and ${m("code *x*")}`],
    ["[text](https://a.test/x) https://b.test", "text <https://a.test/x> https://b.test"],
    ["- one\n- two", "• one\n• two"],
    ["> said", "> said"],
    ["```sh\nrm -rf ~/old/*\n\nls\n```", `${m("rm -rf ~/old/*")}\n\n${m("ls")}`],
    ["| a | b |\n|---|---|\n| 1 | 22 |", `${m("a  b")}\n${m("1  22")}`],
    ["2 * 3 * 4 snake_case_name", "2 * 3 * 4 snake_case_name"],
    [`${BOLD}mine${BOLD} \u000304red`, "mine red"],
  ])("%j is written as IRC shows it", (markdown, shown) => {
    expect(toIrc(markdown)).toBe(shown);
  });

  it("goes on in the next line where a line is cut", () => {
    const lines = toLines(toIrc(`**${"word ".repeat(100).trim()}**`), 330);
    expect(lines.length).toBe(2);
    for (const line of lines) expect(line).toMatch(new RegExp(`^${BOLD}`));
    expect(lines.map(withoutFormatting).join(" ")).toBe("word ".repeat(100).trim());
  });
});

describe("at most eight lines", () => {
  const part = async (text: string, words: string[]) => {
    const ask = { conversation: "olga", userId: "olga", role: "owner" as const, messageId: "1" };
    const agent = inParts(
      { prompt: async () => ({ sessionId: "s", text }) } as never,
      8,
      330,
      (note) => note,
    );
    const parts: string[] = [];
    for (const word of words) parts.push((await agent.prompt({ ...ask, text: word } as never)).text);
    return parts;
  };

  it.each([
    ["many lines", Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n")],
    ["one paragraph", "word ".repeat(3_000).trim()],
    ["one word", "x".repeat(9_000)],
    ["a code block", `\`\`\`\n${"const x = 1;\n".repeat(60)}\`\`\``],
  ])("of %s, and nothing is lost on the way", async (_what, text) => {
    const parts = await part(text, ["tell me", ...Array.from({ length: 12 }, () => "more")]);
    const all: string[] = [];
    for (const shown of parts) {
      expect(countLines(shown, 330)).toBeLessThanOrEqual(8);
      const lines = shown.split("\n");
      const ends = /^\(\d+ more lines?; say "more"/.test(lines.at(-1) ?? "");
      all.push(...(ends ? lines.slice(0, -1) : lines));
      if (!ends) break;
    }
    expect(all).toEqual(toLines(toIrc(text), 330));
  });
});
