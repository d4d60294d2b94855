// The recipients of a part as a file.
import { api, told } from "../../api.ts";
import type { Campaign } from "../calls.ts";
import type { Filter, PartName } from "./parts.ts";

const SOON_MS = 60_000;

export async function saveCsv({ id, name }: Campaign, part: PartName, filter: Filter): Promise<void> {
  const file: unknown = await told(
    api.GET("/campaigns/{id}/recipients/export", { params: { path: { id }, query: filter }, parseAs: "blob" }),
  );
  const address = URL.createObjectURL(file as Blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = `${name} ${part}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SOON_MS);
}
