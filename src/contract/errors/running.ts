/** Starting a plugin and its process. */
export const runningErrors = {
  CONFIG_REFUSED: {
    status: 422,
    cause: "The plugin refused its settings.",
    help: "Change them on its page, or with `patchbay plugin config`.",
  },
  CONFIG_INVALID: {
    status: 422,
    cause: "The settings do not fit the plugin's schema.",
    help: "Change them on its page, or with `patchbay plugin config`.",
  },
  SETTINGS_REFUSED: {
    status: 422,
    cause: "The plugin did not start with the new settings, so those that worked before are in use again.",
    help: "Correct what you changed and save once more, or go back to the settings that work.",
  },
  SETTINGS_UNTRIED: {
    status: 409,
    cause: "Patchbay ended before the plugin had started with the new settings.",
    help: "Try them once more, or go on with those that worked.",
  },
  MISSING_SECRET: {
    status: 409,
    cause: "The settings refer to a secret that is not stored.",
    help: "Store the secret.",
  },
  NEEDS_SETUP: { status: 409, cause: "The plugin is not set up yet.", help: "Finish its setup." },
  SECRET_NOT_GIVEN: {
    status: 409,
    cause: "The plugin names a secret that was not given to it.",
    help: "Give it the secret if you want it to have it, or store one of its own in its settings.",
  },
  CREDENTIALS_REFUSED: {
    status: 409,
    cause: "The service does not accept the stored credentials any more.",
    help: "Sign in again.",
  },
  PYTHON_MISSING: {
    status: 409,
    cause: "No Python was found on this machine, and the plugin is written in it.",
    help: "Install Python 3.9 or newer, or choose one under Settings, Python. Then start the plugin again.",
  },
  PYTHON_TOO_OLD: {
    status: 409,
    cause: "The Python of this machine is too old for the plugin.",
    help: "Install Python 3.9 or newer, or choose another one under Settings, Python. Then start the plugin again.",
  },
  MODULE_MISSING: {
    status: 409,
    cause: "A Python package that the plugin needs is not installed.",
    help: "Install it on the plugin's page; the plugin then starts again.",
  },
} as const;
