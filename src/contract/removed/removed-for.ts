/** Days after which what was removed is deleted for good. Apart, so that screens need no schema for it. */
export const removedForDays = 30;
