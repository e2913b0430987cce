import { create } from "zustand";

/** Whether the person chose to go on without the stored secrets. Kept until the page is loaded again. */
export const useVaultGate = create<{ skipped: boolean }>()(() => ({ skipped: false }));

export const vaultGate = {
  /** Asks for the passphrase, or says why the secrets cannot be opened. */
  show() {
    useVaultGate.setState({ skipped: false });
  },
  skip() {
    useVaultGate.setState({ skipped: true });
  },
};
