// `npm test` sets it for this process. Patchbay would leave it out, start once more, and say so.
delete process.env.NODE_COMPILE_CACHE;
