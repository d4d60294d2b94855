// One of the faults in short; `bun test/faults.ts` plays all of them.
import { expect, test } from "bun:test";
import { DISK } from "./faults/disk.ts";

const readOnly = DISK.find(({ name }) => name === "disk read-only at the start");

test.skipIf(readOnly?.without?.() !== null)(
  "a start on a read-only disk says what to do, and nothing is lost once that is done",
  async () => {
    expect((await readOnly?.play(1))?.faults).toEqual([]);
  },
);
