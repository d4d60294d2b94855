// The tables of the ledger of consent: what each says of itself (src/store/table.ts).
import { deleteConsentsOf } from "./queries.ts";
import { table } from "../../store/table.ts";

/** They are made anew, by the key of the installation. */
const unsigned = () => ({ hash: new Uint8Array(), signature: new Uint8Array() });

table("consents", {
  of: "workspace",
  onReset: { called: "the ledger of consent", inPieces: deleteConsentsOf },
  person: { by: ["contact", "content"], onErase: { by: "forgetConsent" }, onMerge: "moves", inExport: "consent" },
  onLeave: { refers: { contact: "contacts" } },
});
table("consent_tips", {
  of: "workspace",
  onReset: "goes",
  onLeave: { without: ["hash", "signature"], arrives: unsigned },
});
table("consent_heads", {
  of: "workspace",
  onReset: "goes",
  onLeave: { without: ["hash", "signature"], arrives: unsigned },
});
table("consent_wordings", { of: "workspace", onReset: "goes", onLeave: "goes" });
