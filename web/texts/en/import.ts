// Importing people, in English.
import { importFiles } from "./import-files.ts";
import { importMoving } from "./import-moving.ts";
import { unreadFiles } from "./unread-files.ts";

type Labels = Readonly<Record<string, string>>;
const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

const fields: Labels & { readonly subscribed: string } = { email: "identifier", subscribed: "yes or no" };
const errors: Labels = {};
const separators: Labels = { ",": "separated by commas", ";": "separated by semicolons", "\t": "separated by tabs" };
const warnings = (_field: string, message: string, _reason?: string) => message;
/** `note`: the form of a cell. */
const formats = {
  text: { name: "Text", note: "as it is" },
  number: { name: "Number", note: "1,234.50" },
  "number-comma": { name: "Number, with comma", note: "1.234,50" },
  boolean: { name: "Yes or no", note: "true, yes, 1" },
  date: { name: "Date", note: "2026-12-25" },
  "date-dmy": { name: "Date, day first", note: "25.12.2026" },
  "date-mdy": { name: "Date, month first", note: "12/25/2026" },
  json: { name: "List or object", note: "JSON" },
  list: { name: "List", note: "vip, new" },
};
const encodings = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16, big-endian",
  "windows-1252": "Western European (Windows-1252)",
  "windows-1250": "Central European (Windows-1250)",
  "windows-1251": "Cyrillic (Windows-1251)",
  "windows-1253": "Greek (Windows-1253)",
  "windows-1254": "Turkish (Windows-1254)",
  macintosh: "Mac OS Roman",
};
const uses: Labels = {
  segment: "Segment",
  campaign: "Campaign",
  template: "Template",
  workflow: "Workflow",
  form: "Form",
};
/** By the server's message. */
const reasons: Labels = {};

export const importing = {
  open: "Import",
  title: "Import contacts",
  of: (name: string) => `Import ${name}`,
  another: "Another file",
  choose: "Choose a file",
  browse: "Browse…",
  drop: "Drop files with contacts here",
  dropText:
    "CSV or Excel (.xlsx), with column names in the first line. Several files, or a ZIP of them, are one import. Nothing is stored until you have seen a preview.",
  refused: unreadFiles,
  separators,
  /** Replaces the separator, for workbooks. */
  firstSheet: "first sheet",
  exportOf: (product: string) => `export of ${product}`,
  files: importFiles,
  moving: importMoving,
  columns: "Columns",
  found: (all: string, kept: string) => `${all} found, ${kept} kept`,
  heads: { file: "In the file", becomes: "Field", format: "Read as", example: "Sample", filled: "Filled" },
  filled: "filled",
  formats,
  formatOf: (column: string) => `How ${column} is read`,
  orRead: (form: string) => `Or is it ${form}?`,
  flags: { yes: "yes", no: "no" },
  left: "left out",
  encodings,
  encoding: "Encoding",
  readAs: (encoding: string) =>
    `The file is read as ${encoding}. If letters such as é and ü look wrong, choose another encoding.`,
  skipped: {
    title: "Cells that are left out",
    count: (count: number, shown: string) =>
      `${shown} ${some(count, "cell does", "cells do")} not fit ${some(count, "its", "their")} column`,
    means: "The rows are imported without these cells. Existing contacts keep the value they have.",
    cell: "In the file",
    why: (field: string, format: string) => `${field} is read as “${format}”`,
    more: (count: string) => `${count} more`,
  },
  proves: { date: "date of joining", ip: "proof of consent" },
  /** Fields whose names segments and emails cannot use. */
  awkward: {
    open: "Rename…",
    count: (count: number, shown: string) =>
      `${shown} ${some(count, "field has a name", "fields have names")} that segments and emails cannot use, or only in quotes:`,
    title: "Rename these fields?",
    means: "They are renamed for all contacts. A contact that has another value under the new name keeps both.",
    action: "Rename",
    done: "The fields are renamed",
    stayed: (count: number, shown: string) => `${shown} ${some(count, "contact keeps", "contacts keep")} both values.`,
    unused: "Nothing here used the names as they were.",
    used: "This may still use the names as they were. Change it there:",
    use: (kind: string, name: string) => `${uses[kind] ?? kind} “${name}”`,
    close: "Close",
  },
  plainKeys:
    "Fields have plain names, without dots, blanks or signs, so that segments, conditions and emails can use them.",
  lists: {
    of: (column: string) => `What happens to lists with ${column}`,
    add: "Add to the list",
    replace: "Replace the list",
  },
  replaced: {
    title: "Values that would be replaced",
    count: (count: number, shown: string) => `${shown} ${some(count, "value", "values")} would be replaced`,
    means: "Existing contacts have another value here. To keep it, don’t import the column, or fill only empty fields.",
    ofColumn: (count: number, shown: string) => `${shown} ${some(count, "contact", "contacts")}`,
    nothing: "nothing",
  },
  unnamed: (number: number) => `Column ${number}`,
  becomes: (column: string) => `Field for ${column}`,
  leaveOut: "Don’t import",
  knownFields: "Fields",
  newField: "A new field",
  searchFields: "Find a field, or type a new name",
  noField: "A field name consists of letters and digits.",
  fields,
  matches: "identifier",
  isConsent: "email consent",
  badTitle: "Invalid rows",
  bad: (count: number, shown: string) => `${shown} ${some(count, "row is", "rows are")} invalid`,
  noneBad: "Rows",
  allRead: "All rows are valid.",
  looking: "The preview is being prepared.",
  line: "Line",
  stands: "Email address",
  whyNot: "Reason",
  errors,
  faults: {
    empty: "no email address",
    noAt: "no @: not an email address",
    space: "a space in the email address",
    nothingAfter: "nothing after the @",
    dots: "two dots in a row",
    other: "not an email address",
  },
  moreBad: (count: string) => `${count} more, in the file`,
  asFile: "Download CSV",
  trial: "Preview",
  nothingYet: "nothing is stored yet",
  parts: {
    created: "New contacts",
    updated: "Changed",
    unchanged: "Already the same",
    repeated: "Duplicates",
    failed: "Invalid",
  },
  rows: "Rows in the file",
  rowsSoFar: "Rows checked; the file has more",
  warnings,
  after: "After the import",
  statuses: {
    subscribed: "Subscribed",
    pending: "Asked to confirm",
    unsubscribed: "Unsubscribed",
    suppressed: "Suppressed",
  },
  marketing: {
    title: "May we send them marketing email?",
    why: "The file doesn’t say so for everyone.",
    answers: { yes: "Yes", no: "No", confirm: "Ask them by email" },
    means: {
      yes: "New contacts are subscribed.",
      no: "New contacts are added, but get no marketing email.",
      confirm: "Each new contact gets an email with a link. Only those who click it are subscribed.",
    },
    consent: "Where did they agree?",
    consentHelp: "For example “Checkout form, spring 2026”. It is kept with each contact as proof.",
    open: "Answer the question first.",
    unsaid: "Enter where they agreed.",
  },
  leaveUnsubscribed: "Keep unsubscribed contacts unsubscribed",
  resubscribed: (count: number, shown: string) =>
    `${shown} ${some(count, "person who has", "people who have")} unsubscribed would get marketing email again.`,
  noAddress: "Choose the column with the email addresses.",
  nothing: "No row can be imported.",
  action: (count: number, shown: string) => `Import ${shown} ${some(count, "row", "rows")}`,
  actAll: "Import all rows",
  running: "Importing",
  goesOn: "It continues if you leave this page.",
  done: "Imported",
  failed: "The import has failed",
  seen: "Already existed",
  show: "Show new contacts",
  list: {
    title: "Imports of the last 30 days",
    all: "All imports",
    heads: { file: "File", by: "Imported by", result: "Result", state: "Status" },
    count: (count: number, shown: string) => (count === 1 ? "1 import" : `${shown} imports`),
    empty: { title: "No imports yet", text: "Each import is listed here for 30 days." },
    noName: "Unnamed file",
    by: { PERSON: "Somebody", KEY: "API key", COMMAND_LINE: "Command line" },
    added: (count: string) => `${count} new`,
    existed: (count: string) => `${count} existed`,
    invalid: (count: string) => `${count} invalid`,
    states: { done: "Imported", failed: "Failed", running: "Importing", undone: "Undone", undoing: "Being undone" },
  },
  extras: {
    title: "For everybody in the file",
    onlyEmpty: "Fill only empty fields of existing contacts",
    segment: "Add them to a segment",
    none: "No segment",
    segments: "Segments you keep",
    newSegment: "A new segment",
    find: "Find a segment, or type a new name",
    noSegment: "There is no such segment.",
    tag: "Tag them",
    optional: "optional",
    tagHelp: "Added to the list in the field “tags”. Find them with “tags contains”.",
  },
  noise: "from another product",
  undo: {
    short: "Undo",
    openOf: (file: string) => `Undo the import of ${file}`,
    open: "Undo the import…",
    title: "Undo this import?",
    means: (count: number, shown: string) =>
      count === 0
        ? "People whom it changed get their former data and subscription back."
        : `The ${shown} ${some(count, "person", "people")} whom it added ${some(count, "is", "are")} erased. People whom it changed get their former data and subscription back.`,
    stays:
      "Nobody is touched who was changed after the import, or who was added and has had email, an event or a workflow since. What segments and webhooks have been told stays told.",
    until: (moment: string) => `This is possible until ${moment}.`,
    action: "Undo the import",
    running: "The import is being undone",
    done: (count: number, shown: string) => `Undone for ${shown} ${some(count, "person", "people")}`,
    over: "An import can be undone for seven days.",
    stayed: (count: number, shown: string) => `${shown} ${some(count, "person stays", "people stay")} as is`,
    more: (count: string) => `${count} more`,
    reasons,
  },
};
