// Exports of people. The call may ask for a proof first, so its answer is saved as a file afterwards.
import { call } from "../calls/api.ts";
import type { Language } from "../base/language.ts";
import { showFault } from "../parts/overlays/toast.tsx";
import { saveFile } from "../base/save-file.ts";
import { selectionOf, type PeopleFilters } from "./filters.ts";

/** The people of a list as CSV. */
export async function exportPeople(filters: PeopleFilters): Promise<void> {
  await saving("people.csv", () =>
    call("GET /contacts/export", { ...selectionOf(filters), bom: true, parseAs: "blob" }),
  );
}

/** The selected people as CSV. */
export async function exportChosen(contactIds: string[]): Promise<void> {
  await saving("people.csv", () => call("POST /contacts/export", { body: { contactIds, bom: true }, parseAs: "blob" }));
}

/** All data about one person. */
export async function exportPerson(id: string, email: string): Promise<void> {
  await saving(`${email}.json`, () => call("GET /contacts/{id}/export", { id, parseAs: "blob" }));
}

/** The evidence of a person's consent. */
export async function exportConsent(id: string, email: string, language: Language): Promise<void> {
  await saving(`${email}-consent.json`, () =>
    call("GET /contacts/{id}/consent/evidence", { id, language, parseAs: "blob" }),
  );
}

async function saving(name: string, ask: () => Promise<Blob>): Promise<void> {
  try {
    saveFile(name, await ask());
  } catch (error) {
    showFault(error);
  }
}

/** Rows as a CSV file that spreadsheets open. */
export function csvOf(lines: readonly (readonly (string | number)[])[]): Blob {
  const cell = (value: string | number) => {
    const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value);
    return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return new Blob([lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("")], { type: "text/csv" });
}
