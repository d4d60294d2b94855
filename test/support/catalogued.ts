// Holds every event that was emitted to the catalogue: each field of its data and no other. Held after every test that
// has a server.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { FACTS, typeOf } from "../../src/tenant/events/catalog.ts";
import type { Store } from "../../src/store/store.ts";

const ajv = addFormats.default(new Ajv2020({ strict: false }));
const checks = new Map<object, ValidateFunction>();

export async function expectCatalogued(store: Store): Promise<void> {
  const rows = await store.read(
    (reader) => reader.all<{ name: string; data: string }>`
      select name, json(data) as data from events
      where name like 'email.%' or name like 'contact.%' or name like 'segment.%'`,
  );
  for (const { name, data } of rows) {
    const type = typeOf(name);
    const { data: shape } = FACTS[type];
    if (type === "event.tracked" || checkOf(shape)(JSON.parse(data))) continue;
    throw new Error(`${name}: ${ajv.errorsText(checkOf(shape).errors)} in ${data.slice(0, 1000)}`);
  }
}

function checkOf(shape: object): ValidateFunction {
  const known = checks.get(shape) ?? ajv.compile(shape);
  checks.set(shape, known);
  return known;
}
