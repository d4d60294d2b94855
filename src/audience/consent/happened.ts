// Records a fact about a contact: as any other fact, and as a row of the ledger.
import type { FactData, FactWith } from "../../tenant/events/catalog.ts";
import { columnsOf, type LedgerChange } from "../../tenant/events/catalog.ts";
import { happened } from "../../tenant/events/happened.ts";
import type { Tx } from "../../store/store.ts";
import { note, type LedgerEntry } from "./consent.ts";
import type { LedgerFacts } from "./content.ts";

type ContactSubject = Pick<LedgerEntry, "workspace" | "contact" | "act">;

/** As `happened`. `facts`: those of the ledger, unless they are the data. */
export async function happenedToContact<Name extends FactWith<{ ledger: string }>>(
  tx: Tx,
  name: Name,
  { workspace, contact, act }: ContactSubject,
  data: FactData<Name>,
  facts = data as LedgerFacts,
): Promise<void> {
  note(tx, { workspace, contact, what: columnsOf(name).ledger as LedgerChange, act, facts });
  await happened(tx, name, { workspace, contact: contact.seq, cause: act?.cause }, data);
}
