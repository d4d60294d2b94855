// /contacts/import: dry runs, uploads and lists of imports.
import type { Config } from "../../../base/config.ts";
import { t } from "elysia";
import { AppError } from "../../../base/errors.ts";
import { oneOf } from "../../../http/answer-shapes.ts";
import { answerOnce, idempotencyKey } from "../../../http/idempotency.ts";
import { fileOf } from "../../../http/body/multipart.ts";
import { optional, parameter } from "../../../http/schemas.ts";
import { joinable } from "../../../audience/segments/members.ts";
import { refuseToAsk } from "../../../mail/emails/send/confirmation.ts";
import { secretKeyBodyUnread, type Access } from "../../../tenant/access/auth.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { route, routes } from "../../../tenant/access/route-table.ts";
import { ENCODINGS } from "../../../audience/csv/records.ts";
import { checkFile } from "./check.ts";
import { checkShape } from "./check-record.ts";
import { keyTypes } from "../../../audience/contacts/list/fields.ts";
import { openedShape } from "../jobs/record.ts";
import { askedIn, choicesIn, encodingIn, termsOf, type ImportRequest } from "../terms.ts";
import { abandonUpload, acceptUpload, takeUpload } from "./upload.ts";

const file = {
  type: "multipart/form-data",
  schema: t.Object(
    {
      file: t.String({ format: "binary" }),
      marketing: optional(
        oneOf("yes", "no", "confirm"),
        "Whether new people may get marketing email if the file does not say so; `confirm`: they are asked by email.",
      ),
      consent: optional(
        t.String({ maxLength: 500 }),
        "With `marketing`: where the consent comes from. It is kept with these people, as data `consent`.",
      ),
      resubscribe: optional(t.Boolean(), "As the query parameter."),
      onlyEmpty: optional(
        t.Boolean(),
        "`true`: contacts that exist keep the data that they have, and get only what they lack.",
      ),
      segmentId: optional(t.String(), "A STATIC segment that everybody in the file joins."),
      tag: optional(t.String({ maxLength: 100 }), "Added to the list under data `tags` of everybody in the file."),
      encoding: optional(oneOf(...ENCODINGS), "Before the file, if it is not detected."),
      columns: optional(
        t.String(),
        'Before the file: what each column becomes, as a JSON list of `"email"`, `"subscribed"`, `"data.<key>"`, `"topic:<key>"`, `""` (left out) and null (as its name says). `{"field": "data.<key>", "type": "number-comma"}` also says how its cells are read; types are the `format` of a check. What a file says is added to a list that a contact has; with `"replace": true` it takes its place.',
      ),
    },
    {
      examples: [
        {
          file: "email,name,plan\nada@example.com,Ada,pro\nbob@example.com,Bob,free\n",
          marketing: "yes",
          consent: "Checkout form, spring 2026",
        },
      ],
    },
  ),
};
const terms = t.Object({
  resubscribe: parameter(
    t.Boolean(),
    "`true`: rows that say so subscribe contacts again who have unsubscribed, bounced or complained. Not with a key that is scoped to domains.",
  ),
});

const MAX_NAME_CHARS = 255;

/** `importBytes`: the largest body of an import. */
export function importRoutes(access: Access, limits: Pick<Config["limits"], "importBytes">) {
  const { store } = access;
  /** Shared by the dry run and the import. @throws as refuseToAsk and joinable */
  const settled = (caller: Caller, asked: ImportRequest) =>
    store.read(async (reader) => {
      if (asked.marketing === "confirm") await refuseToAsk(reader, caller.workspace);
      return {
        ...asked,
        segment: asked.segmentId === null ? null : await joinable(reader, caller.workspace, asked.segmentId),
      };
    });
  /** The form as it arrives: the name of its file, and the fields before it, are known once the file begins. */
  const uploadIn = (request: Request, caller: Caller) => {
    let fileName: string | null = null;
    const named = (name: string) => (fileName = name.slice(0, MAX_NAME_CHARS));
    const fields = new Map<string, string>();
    const reading = {
      workspace: caller.workspace,
      topics: caller.topics,
      choices: () => choicesIn(fields),
      encoding: () => encodingIn(fields),
      fileName: () => fileName,
    };
    return { fields, reading, bytes: fileOf({ request, limitBytes: limits.importBytes, fields, named }, "file") };
  };
  const upload = route(
    "POST",
    "/contacts/import",
    {
      name: "importContacts",
      summary: "Import contacts from a CSV file, an Excel workbook, or a ZIP archive of several",
      answers: { 202: openedShape },
      permission: "people.bulk",
      takes: file,
      query: terms,
      refuses: ["INVALID_MULTIPART", "CONFLICT", "SEGMENT_NOT_FOUND", "SEGMENT_NOT_STATIC"],
      description:
        "CSV in UTF-8, UTF-16 or Windows-1252, or the first sheet of a workbook (.xlsx), with a header; or a ZIP archive with several of these, as one import. The column `email` is required, `subscribed` (true or false) is optional, and so are `topic:<key>` (yes or no); every other column becomes data of the contact. " +
        "Exports of other products say by their own columns who unsubscribed or bounced, and that is taken over.",
    },
    async ({ request, caller, query, set }) => {
      // Refuses an invalid key before a gigabyte is read.
      idempotencyKey(request.headers);
      const { fields, bytes, reading } = uploadIn(request, caller);
      const asksPeople = () => fields.get("marketing") === "confirm";
      const known = await keyTypes(store, caller.workspace);
      const taken = await takeUpload(store, { ...reading, known: new Set(known.keys()), asksPeople }, bytes);
      const accept = async () => {
        const asked = await settled(caller, askedOf(caller, fields, query));
        const terms = termsOf(asked, taken.seen, known);
        const accepted = { terms, fileName: reading.fileName(), madeBy: caller.by };
        const body = { file: taken.sha256, ...Object.fromEntries(fields), ...query };
        return answerOnce(store, { body, caller, request, set }, (tx) => acceptUpload(tx, taken, accepted), 202);
      };
      const { jobId } = await accept().catch((error: unknown) =>
        abandonUpload(store, taken).then(() => Promise.reject(error)),
      );
      // A replay answers the job of the first upload.
      if (taken.job?.id !== jobId) await abandonUpload(store, taken);
      return { jobId };
    },
  );
  const check = route(
    "POST",
    "/contacts/import/check",
    {
      name: "checkImport",
      summary: "Try an import without storing anything",
      answers: { 200: checkShape },
      permission: "people.bulk",
      takes: file,
      query: terms,
      harmless: true,
      refuses: ["INVALID_MULTIPART", "CONFLICT", "SEGMENT_NOT_FOUND", "SEGMENT_NOT_STATIC"],
      description:
        "Reads the first 200,000 rows as an import would. `created`, `updated`, `unchanged`, `repeated` and `failed` add up to `rows`. Each column says what its cells become and the type of most of them.",
    },
    ({ request, caller, query }) => {
      const { fields, bytes, reading } = uploadIn(request, caller);
      return checkFile(store, {
        ...reading,
        file: bytes,
        readRequest: () => settled(caller, askedOf(caller, fields, query)),
      });
    },
  );
  return routes(access, [upload, check], secretKeyBodyUnread);
}

/** @throws AppError VALIDATION_ERROR on a field, FORBIDDEN */
function askedOf(caller: Caller, fields: ReadonlyMap<string, string>, query: typeof terms.static): ImportRequest {
  const asked = askedIn(fields, query);
  if (asked.resubscribe && caller.domains !== null)
    throw new AppError("FORBIDDEN", "A key that is scoped to domains cannot subscribe people again.");
  return asked;
}
