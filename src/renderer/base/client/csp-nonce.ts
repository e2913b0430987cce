declare global {
  /** Where `get-nonce`, which the dialogs' scroll lock asks, looks for it. */
  var __webpack_nonce__: string | undefined;
}

/**
 * In the desktop shell, components that insert `<style>` elements must show the nonce that this load of the page was given.
 * Call before anything is drawn.
 */
export function takeCspNonce(): void {
  globalThis.__webpack_nonce__ = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
}
