/** Largest package file that may be handed over, in bytes. */
export const mostUploadBytes = 50 * 1024 * 1024;
/** What a package file is called. */
export const packageFileName = /\.(?:tgz|tar\.gz|tar)$/i;
