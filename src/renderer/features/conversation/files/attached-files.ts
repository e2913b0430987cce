import { create } from "zustand";
import {
  type Attached,
  mostAttachmentBytes,
  mostAttachments,
} from "../../../../contract/conversation/attached.ts";

/** A file that goes with the message that is being written. */
export interface DraftFile {
  id: number;
  file: File;
  /** How much of it is with the core, from 0 to 1; null while it is not being sent. */
  part: number | null;
}

/** Why a file was not attached. `name`: empty where it is about all of them. */
export interface RefusedFile {
  why: "tooLarge" | "tooMany" | "folder";
  name: string;
}

/** What a plugin can read for the message. It is read when that is sent. */
export interface DraftResource {
  id: number;
  owner: string;
  uri: string;
  name: string;
}

interface Draft {
  files: readonly DraftFile[];
  resources: readonly DraftResource[];
  refused: readonly RefusedFile[];
}

const nothing: Draft = { files: [], resources: [], refused: [] };
const useDrafts = create<Record<string, Draft>>()(() => ({}));
let made = 0;

function change(place: string, to: (draft: Draft) => Draft): void {
  useDrafts.setState((all) => ({ [place]: to(all[place] ?? nothing) }));
}

/** The files that stay attached until they are sent, for as long as the page is open. @param place whom they are for */
export function useAttachedFiles(place: string): Draft {
  return useDrafts((all) => all[place] ?? nothing);
}

export function attachedFiles(place: string): readonly DraftFile[] {
  return useDrafts.getState()[place]?.files ?? [];
}

export function attachedResources(place: string): Attached[] {
  const { resources } = useDrafts.getState()[place] ?? nothing;
  return resources.map(({ owner, uri, name }) => ({ resource: { owner, uri, name: name.slice(0, 300) } }));
}

/** Attaches what a plugin can read, once. */
export function attachResource(place: string, { owner, uri, name }: Omit<DraftResource, "id">): void {
  change(place, (draft) => {
    const { files, resources } = draft;
    if (resources.some((one) => one.owner === owner && one.uri === uri)) return draft;
    if (files.length + resources.length >= mostAttachments)
      return { ...draft, refused: [{ why: "tooMany", name: "" }] };
    made += 1;
    return { files, resources: [...resources, { id: made, owner, uri, name }], refused: [] };
  });
}

/** Attaches files; what cannot go along is refused with its reason. @param folders names of folders that came with them */
export function attach(place: string, given: readonly File[], folders: readonly string[] = []): void {
  change(place, ({ files, resources }) => {
    const refused: RefusedFile[] = folders.map((name) => ({ why: "folder", name }));
    const added: DraftFile[] = [];
    for (const file of given) {
      if (file.size > mostAttachmentBytes) refused.push({ why: "tooLarge", name: file.name });
      else if (files.length + resources.length + added.length >= mostAttachments) {
        if (!refused.some(({ why }) => why === "tooMany")) refused.push({ why: "tooMany", name: "" });
      } else {
        made += 1;
        added.push({ id: made, file, part: null });
      }
    }
    return { files: [...files, ...added], resources, refused };
  });
}

export function detach(place: string, id: number): void {
  const stays = (one: { id: number }) => one.id !== id;
  change(place, ({ files, resources }) => ({
    files: files.filter(stays),
    resources: resources.filter(stays),
    refused: [],
  }));
}

/** What was attached before the conversation had begun goes along. */
export function moveAttached(from: string, to: string): void {
  useDrafts.setState((all) => ({ [from]: nothing, [to]: all[from] ?? nothing }));
}

/** They were sent, or are not to be. */
export function detachAll(place: string): void {
  change(place, () => nothing);
}

export function notePart(place: string, id: number, part: number | null): void {
  change(place, (draft) => ({
    ...draft,
    files: draft.files.map((one) => (one.id === id ? { ...one, part } : one)),
  }));
}
