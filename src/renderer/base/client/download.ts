/** Hands a file to the browser, which puts it where the person keeps downloads. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Ten seconds later the browser has read the address, so it can be released.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
