import { useEffect, useRef, useSyncExternalStore } from "react";
import { useLocation, useMatch } from "react-router";
import { patterns } from "../base/routes.ts";
import { panels, usePanels } from "../store/panels.ts";

/** How the frame shares the window. Widths are CSS pixels, so that a zoomed window counts as a small one. */
interface Frame {
  /** The conversation stands beside the page, or instead of it where both have no room; on a page that has it anyway it is "closed" here. */
  conversation: "closed" | "beside" | "instead";
  /** The rail shows its marks alone. */
  narrowRail: boolean;
}

const roomForBoth = "(min-width: 896px)";
const roomForRailToo = "(min-width: 1152px)";

export function useFrame(): Frame {
  const open = usePanels((state) => state.conversation);
  const isOnItsPage = useMatch(patterns.conversation) !== null;
  const isInDebug = useMatch(`${patterns.debug}/*`) !== null;
  const both = useMedia(roomForBoth);
  const railToo = useMedia(roomForRailToo);
  const conversation = !open || isOnItsPage || (isInDebug && both) ? "closed" : both ? "beside" : "instead";
  useCloseWhenLeft(conversation === "instead");
  return { conversation, narrowRail: !both || (conversation === "beside" && !railToo) };
}

/** Whoever goes to another page wants to see it: the conversation that stands in its place closes. */
function useCloseWhenLeft(instead: boolean): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (instead) panels.toggleConversation(false);
  }, [pathname, instead]);
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}
