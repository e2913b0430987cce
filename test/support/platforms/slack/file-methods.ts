import { jsonOf, type Method, postAs, SlackRefusal, threadOf, writableChannel } from "./call.ts";

export const fileMethods: Record<string, Method> = {
  "files.info": {
    scope: "files:read",
    run: ({ workspace, fields }) => {
      const stored = workspace.files.get(String(fields.file));
      if (!stored) throw new SlackRefusal("file_not_found");
      return { file: stored.file };
    },
  },
  "files.getUploadURLExternal": {
    scope: "files:write",
    run: ({ workspace, fields, origin }) => {
      const length = Number(fields.length);
      if (!fields.filename || !(length > 0)) throw new SlackRefusal("invalid_arguments");
      const id = workspace.nextId("F");
      const name = String(fields.filename);
      const url = `${origin}/files-pri/${workspace.teamId}-${id}/${encodeURIComponent(name)}`;
      const mimetype = "application/octet-stream";
      const file = { id, name, mimetype, size: length, url_private: url, url_private_download: url };
      workspace.files.set(id, { file, bytes: null, shared: false });
      return { upload_url: `${origin}/upload/v1/${id}`, file_id: id };
    },
  },
  "files.completeUploadExternal": {
    scope: "files:write",
    run: (call) => {
      const wanted = jsonOf(call.fields.files) as { id: string; title?: string }[];
      const stored = wanted.map(({ id }) => {
        const found = call.workspace.files.get(id);
        if (!found?.bytes) throw new SlackRefusal("file_not_found");
        return found;
      });
      if (call.fields.channel_id === undefined) return { files: stored.map(({ file }) => file) };
      const channel = writableChannel({
        ...call,
        fields: { ...call.fields, channel: call.fields.channel_id },
      });
      for (const one of stored) one.shared = true;
      postAs(call, channel, {
        subtype: "file_share",
        text: String(call.fields.initial_comment ?? ""),
        files: stored.map(({ file }) => file),
        ...threadOf(call, channel),
      });
      return { files: stored.map(({ file }) => file) };
    },
  },
};
