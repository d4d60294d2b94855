// What is said of a kind of thing that files keep (kinds.ts).
import type { Permission } from "../../base/roles.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { ObjectSchema } from "../../http/body/shape.ts";
import type { OnEnabled } from "../../programs/workflows/definition/workflow.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import type { Names } from "./names.ts";

export type Fields = Readonly<Record<string, unknown>>;

export type FileTerms = {
  readonly caller: Caller;
  readonly secrets: Secrets;
  readonly webhookAllow: readonly string[];
  readonly onEnabled: OnEnabled;
};

export type KeptKind = {
  /** What a person needs to write one. */
  readonly permission: Permission;
  /** All its fields, each with what counts where a file leaves it out. Undefined: its door says so. */
  readonly fields: Fields;
  /** Of the body that creates one. */
  readonly shape: ObjectSchema;
  /** As its door takes it. */
  read(reader: Reader, workspace: number, id: string): Promise<Fields>;
  /** Answers its id. `name`: of its files. */
  create(tx: Tx, terms: FileTerms, name: string, input: Fields): Promise<string>;
  change(tx: Tx, terms: FileTerms, id: string, input: Fields): Promise<unknown>;
  remove(tx: Tx, terms: FileTerms, id: string): Promise<unknown>;
  /** Ids become names of files, and names ids. */
  readonly withNames?: (fields: Fields, names: Names) => Fields;
  readonly withIds?: (fields: Fields, names: Names) => Fields;
  /** Without secrets. */
  readonly masked?: (fields: Fields) => Fields;
  /** The place of a fault in the file, by its place in the body of the door. */
  readonly placed?: (field: string, fields: Fields) => string;
};
