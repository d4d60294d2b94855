// What the server refuses, by its codes. English is what the server says itself; what a table lacks stays English.
import { area } from "../language.ts";

export type Refusals = {
  /** By the reason that an error names, else by its code. */
  readonly reasons: Readonly<Record<string, (values: Record<string, string>) => string>>;
  readonly codes: Readonly<Record<string, string>>;
  /** By field and code, else by the code of the fault. */
  readonly fields: Readonly<Record<string, string>>;
  /** By the code of the fault: from the server's words, where they name more than a code can. */
  readonly messages: Readonly<Record<string, (message: string) => string>>;
};

export const refusalsTexts = area<Refusals>({
  en: async () => ({ reasons: {}, codes: {}, fields: {}, messages: {} }),
  de: () => import("./de/refusals.ts").then(({ refusals }) => refusals),
});
