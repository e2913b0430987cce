/**
 * Puts the keyboard's focus on what has just appeared, except while the person is in a menu or a dialog: a menu closes
 * when the focus leaves it, and what appears late (its code was still being read) would close it under the hand.
 */
export function takeFocus(element: HTMLElement | null): void {
  if (document.activeElement?.closest("[role=menu], [role=dialog]")) return;
  element?.focus({ preventScroll: true });
}
