import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PatchDrawing } from "./patch-drawing.tsx";

const page = readFileSync(new URL("../../index.html", import.meta.url), "utf8");
const drawn = renderToStaticMarkup(<PatchDrawing layout="empty" health="running" runtime="native" />);

test.each([
  ["the cable", /<path d="(M12 [^"]+)"/],
  ["the strip", /<rect x="0.5" y="2.5" (width="\d+" height="\d+" rx="\d+")/],
  ["the jack that it leaves from", /<circle (cx="12" cy="38" r="[\d.]+")/],
  ["the sheet", /viewBox="([^"]+)"/],
])("the page draws %s where the app draws it when its code is read", (_what, part) => {
  const found = part.exec(page)?.[1];
  expect(found).toBeDefined();
  expect(drawn).toContain(found);
});
