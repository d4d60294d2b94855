// Whether the palette is open.
import { signal } from "./signal.ts";

export const paletteIsOpen = signal(false);
