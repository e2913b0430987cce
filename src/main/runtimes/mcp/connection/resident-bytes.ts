import { readFileSync } from "node:fs";

/** Bytes of a page of memory on the systems that tell. */
const PAGE = 4_096;

/** The memory that a process has now, in bytes; 0 where the system does not tell it as a file, or it has ended. */
export function residentBytesOf(pid: number): number {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1];
    return Number(pages) * PAGE || 0;
  } catch {
    return 0;
  }
}
