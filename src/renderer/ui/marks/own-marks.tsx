import type { ReactNode } from "react";

interface OwnMark {
  /** In degrees of the colour circle. */
  hue: number;
  drawing: ReactNode;
}

/** The plugins that come with Patchbay, by their keys. */
export const ownMarks: ReadonlyMap<string, OwnMark> = new Map([
  [
    "http",
    {
      hue: 190,
      drawing: (
        <>
          <circle cx="12" cy="12" r="8" />
          <path d="M4 12h16M12 4c5 5 5 11 0 16M12 4c-5 5-5 11 0 16" />
        </>
      ),
    },
  ],
  ["guard", { hue: 85, drawing: <path d="M12 4l7 2.5V12c0 4-3 6.7-7 8-4-1.3-7-4-7-8V6.5zM8.5 12h7" /> }],
  ["telegram", { hue: 238, drawing: <path d="M4 11.5L20 5l-4.5 14-4.5-5zM20 5l-9 9v5l2.5-2.2" /> }],
  ["slack", { hue: 345, drawing: <path d="M9.5 5L8 19M16 5l-1.5 14M5 9.5h14.5M4.5 14.5H19" /> }],
  [
    "discord",
    {
      hue: 300,
      drawing: (
        <>
          <path d="M5 14v-2a7 7 0 0 1 14 0v2M19 17c0 2-2 3-5 3" />
          <rect x="4" y="13" width="3.5" height="5" rx="1.5" />
          <rect x="16.5" y="13" width="3.5" height="5" rx="1.5" />
        </>
      ),
    },
  ],
  [
    "irc",
    {
      hue: 120,
      drawing: (
        <>
          <rect x="4" y="5" width="16" height="14" rx="2" />
          <path d="M8 9.5l3 2.5-3 2.5M12.5 15H16" />
        </>
      ),
    },
  ],
  [
    "xmpp",
    {
      hue: 10,
      drawing: (
        <>
          <path d="M7.5 7.5l9 9M16.5 7.5l-9 9" />
          <circle cx="6" cy="6" r="2" />
          <circle cx="18" cy="6" r="2" />
          <circle cx="6" cy="18" r="2" />
          <circle cx="18" cy="18" r="2" />
        </>
      ),
    },
  ],
  [
    "wechat",
    {
      hue: 152,
      drawing: (
        <>
          <path d="M15 7.5C14.2 5.5 12 4.5 9.5 4.5 6 4.5 3.5 6.7 3.5 9.5c0 1.6.8 3 2 3.9L5 16l2.6-1.4" />
          <path d="M14.5 9.5c3.4 0 6 2.1 6 4.8 0 1.5-.8 2.8-2 3.7l.4 2.3-2.5-1.3c-4 .7-7.9-1.3-7.9-4.7 0-2.7 2.6-4.8 6-4.8z" />
        </>
      ),
    },
  ],
  [
    "signal",
    {
      hue: 50,
      drawing: (
        <>
          <circle cx="12" cy="12" r="1.5" />
          <path d="M8.5 15.5a5 5 0 0 1 0-7M15.5 8.5a5 5 0 0 1 0 7M5.7 18.3a9 9 0 0 1 0-12.6M18.3 5.7a9 9 0 0 1 0 12.6" />
        </>
      ),
    },
  ],
]);
