import { expect, type Page } from "@playwright/test";

interface Drop {
  file?: { name: string; bytes: Buffer };
  text?: string;
}

/** What the browser sends a page when something from outside is dragged over it and let go. */
export async function drop(page: Page, { file, text }: Drop): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ name, base64, text }) => {
      const data = new DataTransfer();
      if (name !== undefined && base64 !== undefined) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name));
      }
      if (text !== undefined) data.setData("text/uri-list", text);
      return data;
    },
    { name: file?.name, base64: file?.bytes.toString("base64"), text },
  );
  for (const type of ["dragenter", "dragover"])
    await page.dispatchEvent("body", type, { dataTransfer: transfer });
  await expect(page.getByText("Drop it to install it")).toBeVisible();
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}
