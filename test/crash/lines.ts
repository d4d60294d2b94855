// Text that arrives in pieces, cut into whole lines.

export class Lines {
  #rest = "";

  /** The lines that this piece completes, without their ends. */
  add(piece: string): string[] {
    const lines = (this.#rest + piece).split(/\r?\n/);
    this.#rest = lines.pop() ?? "";
    return lines;
  }
}
