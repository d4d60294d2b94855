// Why the file of a workspace cannot be taken in.
import { AppError } from "../../base/errors.ts";

/** The file is damaged, cut off, or not what an export writes; its message goes on after a colon. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

/** A refusal that a form shows at its field for the file. */
export function refusedFile(code: "VALIDATION_ERROR" | "CONFLICT", message: string, suggestion?: string): AppError {
  const errors = [{ field: "file", message, code: "workspace_file" }];
  return new AppError(code, message, { errors, ...(suggestion === undefined ? {} : { suggestion }) });
}
