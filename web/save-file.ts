// Files that the browser saves.

/** What is at an address, as it comes. */
export function saveFrom(address: string, name = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** What the page has made or was given. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  saveFrom(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
