// The SQL of the store's usability.
import type { Reader } from "../../store/store.ts";

export async function hasWorkspace(reader: Reader): Promise<boolean> {
  return (await reader.get`select 1 as there from workspaces limit 1`) !== null;
}
