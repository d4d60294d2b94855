// The tables of the ledger of consent: what each says of itself (src/store/table.ts).
import { deleteConsentsOf } from "./queries.ts";
import { table } from "../../store/table.ts";

table("consents", {
  of: "workspace",
  onReset: { called: "the ledger of consent", inPieces: deleteConsentsOf },
  person: { by: ["contact", "content"], onErase: { by: "forgetConsent" }, onMerge: "moves", inExport: "consent" },
  onLeave: { refers: { contact: "contacts" } },
});
table("consent_tips", { of: "workspace", onReset: "goes", onLeave: { without: ["hash", "signature"] } });
table("consent_heads", { of: "workspace", onReset: "goes", onLeave: { without: ["hash", "signature"] } });
table("consent_wordings", { of: "workspace", onReset: "goes", onLeave: "goes" });
