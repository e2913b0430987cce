const ESC = "\\u001b";
const SEQUENCES = new RegExp(
  [
    // OSC, DCS, SOS, PM, APC: up to BEL or ST.
    `${ESC}[\\]PX^_][^\\u0007\\u001b\\u009c]*(?:\\u0007|${ESC}\\\\|\\u009c)?`,
    // CSI.
    `(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]?`,
    // Anything else that begins with ESC.
    `${ESC}[ -/]*[0-~]?`,
  ].join("|"),
  "g",
);
const CONTROLS = new RegExp(
  `[${["0000-\\u0008", "000b", "000c", "000e-\\u001f", "007f-\\u009f"].map((code) => `\\u${code}`).join("")}]`,
  "g",
);

/** Text of a plugin without terminal control sequences and characters; line ends and tabs stay. */
export function cleanText(text: string): string {
  return text.replace(SEQUENCES, "").replace(/\r+\n/g, "\n").replace(/\r/g, "\n").replace(CONTROLS, "");
}
