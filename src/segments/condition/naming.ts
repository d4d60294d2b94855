// A condition without the address of an erased person.
import { namesAddress } from "../../addresses.ts";
import type { Condition } from "./check.ts";
import type { Filter } from "./filter.ts";

/** No address and hardly any data is equal to it or contains it. */
const ERASED = "(erased)";

export function withoutAddress({ logic, groups }: Condition, email: string): Condition {
  return {
    logic,
    groups: groups.map(({ filters, conditions }) => ({
      filters: filters.map((filter) => filterWithout(filter, email)),
      ...(conditions ? { conditions: withoutAddress(conditions, email) } : {}),
    })),
  };
}

function filterWithout(filter: Filter, email: string): Filter {
  const { value } = filter;
  return typeof value === "string" && namesAddress(value, email) ? { ...filter, value: ERASED } : filter;
}
