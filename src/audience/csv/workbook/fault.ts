// Why a workbook is not read.

/** By code: what the caller is told, and what to do. */
const MESSAGES = {
  protected_file: "This workbook is protected by a password. Save it without the password, and import that file.",
  broken_file: "This workbook is damaged. Save it again as .xlsx or CSV, and import that file.",
  spreadsheet_file: "This is a spreadsheet, but not .xlsx. Save it as .xlsx or CSV, and import that file.",
  document_file:
    "This is a text document or a presentation. Put its list into a spreadsheet, save that, and import that file.",
  big_file: "This workbook is too big. Save its sheet as CSV, and import that file.",
} as const;
type WorkbookCode = keyof typeof MESSAGES;

/** It crosses between threads with its message, its code and the field at fault. */
export class WorkbookFault extends Error {
  override readonly name = "WorkbookFault";
  readonly path = "file";

  constructor(
    readonly code: WorkbookCode,
    message: string = MESSAGES[code],
  ) {
    super(message);
  }
}
