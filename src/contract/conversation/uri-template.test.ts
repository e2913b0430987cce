import { expect, test } from "vitest";
import { filledIn, variablesIn } from "./uri-template.ts";

const values = { who: "fred", half: "50%", path: "/foo/bar", x: "1024", empty: "", word: "a b/ü" };

test.each([
  ["file:///{path}", "file:///%2Ffoo%2Fbar"],
  ["{+path}/here", "/foo/bar/here"],
  ["{who,x}", "fred,1024"],
  ["X{.who,x}", "X.fred.1024"],
  ["{/who,x}", "/fred/1024"],
  ["{;x,who}", ";x=1024;who=fred"],
  ["a{?x,none,who}", "a?x=1024&who=fred"],
  ["a?b=c{&x}", "a?b=c&x=1024"],
  ["{#path}", "#/foo/bar"],
  ["{who:2}", "fr"],
  ["{word}", "a%20b%2F%C3%BC"],
  ["{half}", "50%25"],
  ["{empty}{none}", ""],
  ["{__proto__}", ""],
])("%s becomes %s", (template, uri) => {
  expect(filledIn(template, values)).toBe(uri);
});

test("its variables are told once each; what is no template has none", () => {
  expect(variablesIn("shelf://{author}/{book}{?author}")).toEqual(["author", "book"]);
  for (const wrong of ["{", "a}b", "{a b}", "{}", `{${"a".repeat(3_000)}}`])
    expect(variablesIn(wrong)).toBeNull();
});
