/** Modules whose package is called otherwise. */
const named: Record<string, string> = {
  Crypto: "pycryptodome",
  OpenSSL: "pyOpenSSL",
  PIL: "Pillow",
  attr: "attrs",
  bs4: "beautifulsoup4",
  cv2: "opencv-python",
  dateutil: "python-dateutil",
  discord: "discord.py",
  docx: "python-docx",
  dotenv: "python-dotenv",
  fitz: "PyMuPDF",
  git: "GitPython",
  github: "PyGithub",
  googleapiclient: "google-api-python-client",
  jose: "python-jose",
  jwt: "PyJWT",
  ldap: "python-ldap",
  magic: "python-magic",
  markdown_it: "markdown-it-py",
  mysql: "mysql-connector-python",
  nacl: "PyNaCl",
  paho: "paho-mqtt",
  pkg_resources: "setuptools",
  pptx: "python-pptx",
  psycopg2: "psycopg2-binary",
  serial: "pyserial",
  skimage: "scikit-image",
  sklearn: "scikit-learn",
  slugify: "python-slugify",
  socks: "PySocks",
  telegram: "python-telegram-bot",
  usb: "pyusb",
  websocket: "websocket-client",
  yaml: "PyYAML",
  zmq: "pyzmq",
};

/** Modules that no package of the index brings: those of the programs that plugins are written for, and Windows' own. */
const notPackages = new Set([
  "flowly",
  "flowly_plugins",
  "hermes",
  "hermes_cli",
  "hermes_plugins",
  "msvcrt",
  "winreg",
  "_winapi",
]);

/** Modules that came into Python's own library, with the version. */
const since: Record<string, readonly [number, number]> = {
  tomllib: [3, 11],
  compression: [3, 14],
  annotationlib: [3, 14],
};

/** Modules that Python's own library had until that version, without it. */
const until: Record<string, readonly [number, number]> = {
  asynchat: [3, 12],
  asyncore: [3, 12],
  cgi: [3, 13],
  distutils: [3, 12],
  imghdr: [3, 13],
  imp: [3, 12],
  pipes: [3, 13],
  smtpd: [3, 12],
  telnetlib: [3, 13],
};

/**
 * Where a missing module comes from: the package of the index that brings it, by its own name when nothing else is known;
 * another version of Python; null when nobody can install it.
 */
export type ModuleOrigin =
  | { kind: "package"; name: string }
  | { kind: "newer" | "older"; version: string }
  | null;

/** @param module the first part of the name, `google` of `google.cloud` */
export function originOf(module: string): ModuleOrigin {
  if (notPackages.has(module) || !/^[A-Za-z]\w*$/.test(module)) return null;
  const newer = since[module];
  if (newer) return { kind: "newer", version: newer.join(".") };
  const older = until[module];
  if (older) return { kind: "older", version: older.join(".") };
  return { kind: "package", name: named[module] ?? module.replaceAll("_", "-") };
}
