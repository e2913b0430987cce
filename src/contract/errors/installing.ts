/** Installing, updating and looking for plugins. */
export const installingErrors = {
  SPEC_UNSUPPORTED: {
    status: 400,
    cause: "What was given is not a package name, file, folder or git address.",
    help: "Give an npm name, a .tgz file, a folder or a git URL.",
  },
  PACKAGE_NOT_FOUND: {
    status: 404,
    cause: "The registry has no such package or version.",
    help: "Check the spelling and the version.",
  },
  REGISTRY_UNREACHABLE: {
    status: 502,
    cause: "The package registry did not answer.",
    help: "Check the network and the registry's address, then retry.",
  },
  REGISTRY_REFUSED: {
    status: 502,
    cause: "The package registry answered with an error.",
    help: "Retry later, or ask whoever runs the registry.",
  },
  GIT_FAILED: {
    status: 502,
    cause: "The git repository could not be fetched.",
    help: "Check the address, the branch and your access.",
  },
  SOURCE_MISSING: { status: 404, cause: "The file or folder is not there.", help: "Check the path." },
  ARCHIVE_DAMAGED: {
    status: 422,
    cause: "The package file is damaged or cut short.",
    help: "Download it again, or ask its publisher for a whole one.",
  },
  INTEGRITY_MISMATCH: {
    status: 422,
    cause: "The files are not those that were expected.",
    help: "Do not use this copy. Install it again from a source you trust.",
  },
  SIGNATURE_INVALID: {
    status: 422,
    cause: "The registry's signature of the package, or the proof of its source, does not fit.",
    help: "Do not install it. Tell whoever runs the registry; the package or its description was changed on the way.",
  },
  UNSAFE_PACKAGE: {
    status: 422,
    cause: "The package holds links, paths or sizes that Patchbay does not accept.",
    help: "Do not use this package; tell its author. A folder of your own can be linked instead of copied.",
  },
  SCRIPT_FAILED: {
    status: 422,
    cause: "A script of the package failed while it was being installed.",
    help: "Nothing was installed. The log of the job says more: `patchbay job logs`.",
  },
  NOT_A_PLUGIN: {
    status: 422,
    cause: "The package holds no plugin that Patchbay knows.",
    help: "Check that it is the right package.",
  },
  MANIFEST_INVALID: {
    status: 422,
    cause: "The plugin describes itself in a way that Patchbay cannot accept.",
    help: "Its author must correct the field that is named.",
  },
  MANIFEST_CHANGED: {
    status: 422,
    cause: "The plugin describes itself differently than when it was installed.",
    help: "Install it again and look at what it asks for.",
  },
  INSPECT_TIMEOUT: {
    status: 504,
    cause: "Reading the plugin took too long.",
    help: "Its author must make the import return; nothing was installed.",
  },
  INSPECT_CRASHED: {
    status: 422,
    cause: "The plugin ended its process while being read.",
    help: "Its author must correct it; nothing was installed.",
  },
  KEY_TAKEN: {
    status: 409,
    cause: "Another package already uses that plugin key.",
    help: "Give this one another key, or uninstall the other one first.",
  },
  NAMESPACE_TAKEN: {
    status: 409,
    cause: "Another plugin already uses that tool namespace.",
    help: "Give this one another key, after which its names are made, or uninstall the other one first.",
  },
  DISK_FULL: {
    status: 507,
    cause: "The disk is full.",
    help: "Free some space and retry. Nothing was lost.",
  },
  WRITE_FAILED: {
    status: 500,
    cause: "A file could not be written.",
    help: "Check the permissions of Patchbay's folder.",
  },
  READ_FAILED: {
    status: 500,
    cause: "A file could not be read.",
    help: "Check the permissions of Patchbay's folder.",
  },
  TRUST_REFUSED: {
    status: 403,
    cause: "Nobody known vouches for the plugin, and it wants more than such plugins are given.",
    help: "Read what it is before you take the risk. Then take it: in the dialog, or with --accept-risk.",
  },
  CONSENT_REFUSED: {
    status: 409,
    cause: "The installation was declined.",
    help: "Start it again if you change your mind.",
  },
  JOB_TIMEOUT: {
    status: 504,
    cause: "A phase of the installation took too long.",
    help: "Retry. If it happens again, `patchbay job logs` shows what it did meanwhile.",
  },
  UPDATE_ROLLED_BACK: {
    status: 422,
    cause: "The new version did not start, so the old one is kept.",
    help: "Look at the reason; try again when a newer version is out.",
  },
  UPDATE_NEEDS_FILE: {
    status: 409,
    cause: "The plugin came as a file that was dropped on Patchbay.",
    help: "Drop a newer file of it on the window.",
  },
  PLATFORM_UNSUPPORTED: {
    status: 409,
    cause: "The plugin is made for another system, or for another version of what runs it.",
    help: "Look whether its author offers it for this computer, or install the version that it needs.",
  },
  NO_OTHER_VERSION: {
    status: 409,
    cause: "No other version is kept.",
    help: "Install the version that you want by name.",
  },
} as const;
