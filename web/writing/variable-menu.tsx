// The menu of variables. Variables that some contacts lack get a fallback.
import { Header } from "react-aria-components/Header";
import { Button as AriaButton } from "react-aria-components/Button";
import { Menu, MenuItem, MenuSection, MenuTrigger } from "react-aria-components/Menu";
import { useTexts } from "../base/language.ts";
import { Icon } from "../parts/icons/icon.tsx";
import { Popover } from "../parts/overlays/popover.ts";
import { writingTexts } from "../texts/areas.ts";
import type { Variable } from "./variables.ts";

type VariableMenuProps = {
  readonly label: string;
  readonly variables: readonly Variable[];
  readonly disabledReason: string | undefined;
  /** Receives the Liquid; `path` and `fallback` are for editors with nodes for variables. */
  readonly insert: (liquid: string, path: string, fallback: string) => void;
};

const KINDS = ["field", "own", "link", "event"] as const;

export function VariableMenu({ label, variables, disabledReason, insert }: VariableMenuProps) {
  const t = useTexts(writingTexts);
  const run = (path: unknown) => {
    const variable = variables.find((one) => one.path === path);
    if (!variable) return;
    const fallback = variable.isName ? t.greeting.there : "";
    insert(liquidOf(variable, fallback), variable.path, fallback);
  };
  return (
    <MenuTrigger>
      <AriaButton className="btn quiet s only" aria-label={label} isDisabled={disabledReason !== undefined}>
        <Icon name="braces" />
      </AriaButton>
      <Popover className="menu">
        <Menu aria-label={t.variables} className="entries" onAction={run}>
          {KINDS.map((kind) => ({ kind, of: variables.filter((one) => one.kind === kind) }))
            .filter(({ of }) => of.length > 0)
            .map(({ kind, of }) => (
              <MenuSection key={kind} id={kind}>
                <Header className="cap">{t.kinds[kind]}</Header>
                {of.map(({ path, coverage }) => (
                  <MenuItem key={path} id={path} className="item" textValue={path}>
                    <code>{path}</code>
                    {coverage !== null && <span className="dim small">{t.covers(coverage)}</span>}
                  </MenuItem>
                ))}
              </MenuSection>
            ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function liquidOf({ path, coverage }: Variable, fallback: string): string {
  return coverage === null || coverage === 100 ? `{{ ${path} }}` : `{{ ${path} ?? "${fallback}" }}`;
}
