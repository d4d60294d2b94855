// The schemas of the API, by their names in OpenAPI.
import type { components } from "../api.gen.ts";

export type Schemas = components["schemas"];
