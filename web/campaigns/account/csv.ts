// The recipients of a part as a file.
import { api, unwrap } from "../../api.ts";
import { saveFile } from "../../people/export.ts";
import type { Campaign } from "../calls.ts";
import type { Filter } from "./calls.ts";
import type { PartName } from "./parts.ts";

export async function saveCsv({ id, name }: Campaign, part: PartName, filter: Filter): Promise<void> {
  const file: unknown = await unwrap(
    api.GET("/campaigns/{id}/recipients/export", { params: { path: { id }, query: filter }, parseAs: "blob" }),
  );
  saveFile(`${name} ${part}.csv`, file as Blob);
}
