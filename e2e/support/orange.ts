import type { Page } from "@playwright/test";

/**
 * The names of the buttons and links drawn in the accent colour, one entry a screen that has any. A dialog is a screen of
 * its own: `screen` is its title, or `the page`. Only what is seen counts, and no mark that is a button's part.
 */
export function orangeButtons(page: Page): Promise<{ screen: string; buttons: string[] }[]> {
  return page.evaluate(() => {
    const orange = ["var(--accent)", "var(--accent-hover)"].map((colour) => {
      const probe = document.createElement("i");
      probe.style.background = colour;
      document.body.append(probe);
      const { backgroundColor } = getComputedStyle(probe);
      probe.remove();
      return backgroundColor;
    });
    const found = new Map<Element | null, string[]>();
    for (const button of document.querySelectorAll('button, a, [role="button"], input[type="submit"]')) {
      // A switch that is on is a state and no step.
      if (button.getAttribute("role") === "switch" || !button.checkVisibility()) continue;
      if (!orange.includes(getComputedStyle(button).backgroundColor)) continue;
      const screen = button.closest('[role="dialog"], [role="alertdialog"]');
      found.set(screen, [...(found.get(screen) ?? []), button.textContent?.trim() ?? ""]);
    }
    return [...found].map(([screen, buttons]) => ({
      screen: screen?.querySelector("h1, h2")?.textContent ?? (screen ? "a dialog" : "the page"),
      buttons,
    }));
  });
}
