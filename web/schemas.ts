// The bodies of the API, by their names in its description.
import type { components } from "./api.gen.ts";

export type Schemas = components["schemas"];
