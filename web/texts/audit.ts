// The texts of the audit list.
import { area } from "../language.ts";

export const auditTexts = area({
  en: () => import("./en/audit.ts").then(({ audit }) => audit),
  de: () => import("./de/audit.ts").then(({ audit }) => audit),
});
