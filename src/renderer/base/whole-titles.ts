const shortened = ".truncate, [class*='line-clamp-']";

/**
 * Whoever points at a text that ends in an ellipsis reads the whole of it as a title. What has a title of its own keeps
 * it; a text that has room again loses it.
 */
export function tellWholeTexts(signal: AbortSignal): void {
  const given = new WeakMap<Element, string>();
  document.addEventListener(
    "pointerover",
    ({ target }) => {
      const text = target instanceof Element ? target.closest<HTMLElement>(shortened) : null;
      if (!text) return;
      const own = text.title !== "" && text.title !== given.get(text);
      if (own) return;
      const cut = text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 1;
      const whole = cut ? (text.textContent ?? "").trim() : "";
      if (whole === text.title) return;
      text.title = whole;
      given.set(text, whole);
    },
    { signal, passive: true },
  );
}
