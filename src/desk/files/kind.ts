// The description of a kind of object that files keep (kinds.ts).
import type { Permission } from "../../base/roles.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { ObjectSchema } from "../../http/body/shape.ts";
import type { OnEnable } from "../../programs/workflows/definition/workflow.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import type { Names } from "./names.ts";

export type Fields = Readonly<Record<string, unknown>>;

export type FileTerms = {
  readonly caller: Caller;
  readonly secrets: Secrets;
  readonly webhookAllow: readonly string[];
  readonly onEnabled: OnEnable;
};

export type KeptKind = {
  /** The permission to write one. */
  readonly permission: Permission;
  /** All its fields with their defaults, for files that leave them out. Undefined: the API decides. */
  readonly fields: Fields;
  /** The shape of the body that creates one. */
  readonly shape: ObjectSchema;
  /** Its fields, as the API takes them. */
  read(reader: Reader, workspace: number, id: string): Promise<Fields>;
  /** Answers its id. `name`: the name of its files. */
  create(tx: Tx, terms: FileTerms, name: string, input: Fields): Promise<string>;
  change(tx: Tx, terms: FileTerms, id: string, input: Fields): Promise<unknown>;
  remove(tx: Tx, terms: FileTerms, id: string): Promise<unknown>;
  /** Ids become file names, and file names ids. */
  readonly withNames?: (fields: Fields, names: Names) => Fields;
  readonly withIds?: (fields: Fields, names: Names) => Fields;
  /** Without secrets. */
  readonly masked?: (fields: Fields) => Fields;
  /** The place of a fault in the file, from its place in the body. */
  readonly placed?: (field: string, fields: Fields) => string;
};
