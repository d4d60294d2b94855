// Why the file of a workspace cannot be taken in.

/** The file is damaged, cut off, or not what an export writes; its message goes on after a colon. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}
