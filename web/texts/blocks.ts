// The texts of saved blocks.
import { area } from "../language.ts";

export const blocksTexts = area({
  en: () => import("./en/blocks.ts").then(({ blocks }) => blocks),
  de: () => import("./de/blocks.ts").then(({ blocks }) => blocks),
});
