import type { Socket } from "node:net";
import { joinSockets } from "../join-sockets.ts";
import type { PutIn } from "../wall.ts";
import { isFor, type Place } from "./rewrite.ts";
import { spot } from "./spot.ts";
import { terminate } from "./terminate.ts";

/** Passes on everything between a socket of the process and one to the place that it asked for. */
export type Join = (inner: Socket, upstream: Socket) => void;

/** How connections of one process are passed on, by where they lead. `refused` is told where no value was put in. */
export function joiningWith({ secrets, authority }: PutIn, refused: (target: string) => void) {
  const all = secrets.map(({ placeholder }) => placeholder);
  return (place: Place): Join => {
    const here = secrets.filter(({ hosts }) => hosts.some((host) => isFor(host, place)));
    const where = `${place.host}:${place.port}`;
    if (here.length > 0) {
      const identity = authority.identityOf(place.host);
      return (inner, upstream) => terminate(inner, upstream, { place, identity, here, all, refused });
    }
    return (inner, upstream) => {
      spot(inner, all, () => refused(where));
      joinSockets(inner, upstream);
    };
  };
}
