/** The pictures of every screen. Part `app` of run.ts. */
import { studioOf } from "./studio.ts";
import { walkScreens } from "./walk.ts";

await walkScreens(studioOf);
