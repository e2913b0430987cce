/** Types of files by the ending of their name, for those of which Slack does not tell the type. */
const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  gif: "image/gif",
  heic: "image/heic",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  log: "text/plain",
  m4a: "audio/mp4",
  md: "text/markdown",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  text: "text/plain",
  txt: "text/plain",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
};

/** @param ending of the name, or Slack's own short word for the type, for example `png` */
export function typeOfFile(name: string, ending: string | null | undefined): string {
  const own = /\.([A-Za-z0-9]+)$/.exec(name)?.[1];
  return types[own?.toLowerCase() ?? ""] ?? types[ending?.toLowerCase() ?? ""] ?? "application/octet-stream";
}
