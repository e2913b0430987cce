import type { Locator } from "@playwright/test";

/** Replaces the text of an editor as a person does; `fill` would have the browser paint its own styles into it. */
export async function write(editor: Locator, text: string): Promise<void> {
  const { keyboard } = editor.page();
  await editor.focus();
  await keyboard.press("ControlOrMeta+a");
  await keyboard.press("Delete");
  await keyboard.insertText(text);
}
