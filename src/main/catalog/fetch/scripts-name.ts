/** The word behind which the fetch process gets its input as JSON, and does this one thing alone. */
export const scriptsOnly = "scripts-only";
