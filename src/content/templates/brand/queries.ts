// The SQL of brands.
import { json, jsonOrNull } from "../../../store/columns.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import type { Brand } from "./shape.ts";

export type KeptBrand = { readonly brand: Brand; readonly updatedAt: string; readonly updatedBy: ChangeAuthor | null };

type BrandRow = { readonly brand: string; readonly updatedAt: string; readonly updatedBy: string | null };

export async function brandOf(reader: Reader, workspace: number): Promise<KeptBrand | null> {
  const row = await reader.get<BrandRow>`
    select brand, updated_at as "updatedAt", updated_by as "updatedBy" from brands where workspace = ${workspace}`;
  return row && { brand: json(row.brand), updatedAt: row.updatedAt, updatedBy: jsonOrNull(row.updatedBy) };
}

export function setBrand(tx: Tx, workspace: number, { brand, updatedAt, updatedBy }: KeptBrand): Promise<number> {
  const [text, by] = [JSON.stringify(brand), updatedBy && JSON.stringify(updatedBy)];
  return tx.run`
    insert into brands (workspace, brand, updated_at, updated_by) values (${workspace}, ${text}, ${updatedAt}, ${by})
    on conflict (workspace) do update set brand = ${text}, updated_at = ${updatedAt}, updated_by = ${by}`;
}
