// The settings of a way out on the command line: under their names in [[ways]], and secrets from files alone.
import { readSecret } from "../../../base/config/file.ts";
import { fromText, isSecret, type SettingValues } from "../../../ground/ways/settings.ts";
import { UsageError } from "../arguments.ts";
import type { VerbCall, VerbOptions } from "../verb.ts";

export const SETTINGS: VerbOptions = {
  set: {
    value: "KEY=VALUE",
    several: true,
    help: "A setting under its name in [[ways]], such as host=smtp.example.com",
  },
  secret: { value: "KEY=FILE", several: true, help: "A secret, such as password=FILE; - is the standard input" },
};
/** @throws UsageError for an unknown setting */
export async function givenIn(call: VerbCall): Promise<SettingValues> {
  const given: Record<string, unknown> = {};
  const put = (name: string, text: string, secret: boolean): void => {
    const found = fromText(name, text);
    if (!found) throw usage(`There is no setting ${name} of a way.`);
    if (isSecret(found.field) !== secret)
      throw usage(secret ? `${name} is no secret: --set ${name}=…` : `${name} is a secret: --secret ${name}=FILE`);
    given[found.field] = found.value;
  };
  for (const [name, text] of call.texts("set").map(pairIn)) put(name, text, false);
  for (const [name, file] of call.texts("secret").map(pairIn)) put(name, await secretIn(call, file), true);
  for (const name of call.texts("unset")) given[fromText(name, "")?.field ?? name] = null;
  return given;
}

function pairIn(text: string): readonly [name: string, value: string] {
  const at = text.indexOf("=");
  if (at < 1) throw usage(`${text} must be KEY=VALUE.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function secretIn(call: VerbCall, file: string): Promise<string> {
  if (file !== "-") return readSecret(file);
  return Buffer.from((await call.io.input?.()) ?? new Uint8Array())
    .toString("utf8")
    .replace(/\r?\n$/, "");
}

function usage(message: string): UsageError {
  return new UsageError(message, "docs/configuration.md lists the settings of a way: posthorn way add --help");
}
