/** Largest package file that may be handed over, in bytes. */
export const mostUploadBytes = 50 * 1024 * 1024;
/** The file names that a package file may have. */
export const packageFileName = /\.(?:tgz|tar\.gz|tar|mcpb|dxt)$/i;
