// The products whose exports are known by their columns, and what only these exports mean by a column.
import { plain } from "../contacts/search/name-fields.ts";
import type { CsvColumnType } from "./cell.ts";

type Product = {
  readonly name: string;
  /** Patterns of names in small letters, reduced to letters and digits: the header has a column for each. */
  readonly knownBy: readonly RegExp[];
  /** No column has such a name. */
  readonly not?: RegExp;
  /** Columns that become something else than their names imply. */
  readonly columns?: Readonly<Record<string, PresetColumn>>;
  /** `status` is about email alone, so that `cancelled` and `inactive` refuse it. */
  readonly hasStatus?: true;
  /** The people in the file have subscribed, or are customers, and the file does not say whether they agreed. */
  readonly lists?: "subscribers" | "customers";
};

type PresetColumn = { readonly field: string; readonly type: CsvColumnType | null };

const TAGS: PresetColumn = { field: "data.tags", type: "list" };

const PRODUCTS: readonly Product[] = [
  { name: "Mailchimp", knownBy: [/^(leid|euid|memberrating)$/], columns: { tags: TAGS } },
  { name: "Klaviyo", knownBy: [/^klaviyoid$/] },
  { name: "Brevo", knownBy: [/^(emailblacklisted|blocklisted|addedtime|doubleoptin)$/] },
  { name: "SendGrid", knownBy: [/^(alternateemails|phonenumberid|uniquename)$/] },
  { name: "HubSpot", knownBy: [/^recordid(contact)?$/] },
  { name: "MailerLite", knownBy: [/^(openscount|signupip)$/] },
  {
    name: "Ghost",
    knownBy: [/^subscribedtoemails$/, /^complimentaryplan$/],
    columns: { labels: { field: "data.labels", type: "list" }, tiers: { field: "data.tiers", type: "list" } },
  },
  { name: "Substack", knownBy: [/^activesubscription$/, /^emaildisabled$/], lists: "subscribers" },
  { name: "Shopify", knownBy: [/^acceptsemailmarketing$/, /^totalspent$/], columns: { tags: TAGS } },
  { name: "WooCommerce", knownBy: [/^totalspend$/, /^aov$/], lists: "customers" },
  { name: "Loops", knownBy: [/^usergroup$/, /^subscribed$/] },
  { name: "Customer.io", knownBy: [/^cioid$/] },
  // Other lists may have these columns as well, so the last three come last, and none of their states is a consent.
  {
    name: "Kit",
    knownBy: [/^id$/, /^firstname$/, /^email(address)?$/, /^stat(e|us)$/, /^createdat$/, /^tags$/],
    not: /^(last|sur)?name$/,
    columns: { tags: TAGS },
    hasStatus: true,
  },
  {
    name: "Keila",
    knownBy: [/^email$/, /^firstname$/, /^lastname$/, /^data$/, /^status$/],
  },
  { name: "listmonk", knownBy: [/^attributes$/], columns: { attributes: { field: "data", type: null } } },
];

/** Our own export is imported unchanged, also if another product has such columns. */
export function isOwnExport([first, second]: readonly string[]): boolean {
  return first === "email" && second === "subscribed";
}

/** The product that made the file; null = unknown, or our own. */
export function productOf(header: readonly string[]): Product | null {
  if (isOwnExport(header)) return null;
  const names = header.map(plain);
  const isOf = ({ knownBy, not }: Product) =>
    knownBy.every((pattern) => names.some((name) => pattern.test(name))) && !names.some((name) => not?.test(name));
  return PRODUCTS.find(isOf) ?? null;
}

/**
 * The preset of each column of the export; null = its name decides. Two columns never get the same one, and a column
 * `attributes` is only listmonk's if its first cell is an object.
 */
export function presetsOf(header: readonly string[], first: readonly string[]): readonly (PresetColumn | null)[] {
  const { columns = {} } = productOf(header) ?? {};
  const names = header.map(plain);
  return names.map((name, index) => {
    const preset = Object.hasOwn(columns, name) ? columns[name] : undefined;
    const isTaken =
      names.indexOf(name) !== index ||
      header.some((other, at) => at !== index && other.trim().toLowerCase() === preset?.field);
    const fits = preset?.type !== null || /^(\{|$)/.test((first[index] ?? "").trim());
    return preset && !isTaken && fits ? preset : null;
  });
}
