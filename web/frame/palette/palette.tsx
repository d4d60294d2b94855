// ⌘K: search everything by name, email address or id, and run commands.
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Collection } from "react-aria-components/Collection";
import { Dialog } from "react-aria-components/Dialog";
import { Header } from "react-aria-components/Header";
import { Input } from "react-aria-components/Input";
import { Menu, MenuItem, MenuSection } from "react-aria-components/Menu";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { SearchField } from "react-aria-components/SearchField";
import { useTexts } from "../../base/language.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { KeyHints } from "../../parts/layout.tsx";
import { frameTexts, setUpTexts } from "../../texts/areas.ts";
import { groupsFor, type HitGroup, type Hit } from "./hits.ts";
import { useMembership } from "../../calls/session.ts";
import { groupsFor as tabGroupsFor } from "../../settings/tabs.ts";
import { paletteIsOpen } from "../../commands.ts";
import { useSearchResults } from "./search.ts";
import "./palette.css";

export function Palette() {
  const { palette } = useTexts(frameTexts);
  const close = () => paletteIsOpen.set(false);
  return (
    <ModalOverlay className="veil high" isOpen onOpenChange={(open) => open || close()} isDismissable>
      <Modal className="palette">
        <Dialog aria-label={palette.title}>
          <Asking close={close} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Asking({ close }: { readonly close: () => void }) {
  const { palette } = useTexts(frameTexts);
  const [words, setWords] = useState("");
  const { groups, isAsking } = useGroups(words);
  const run = (id: unknown) => {
    close();
    groups
      .flatMap(({ hits }) => hits)
      .find((hit) => hit.id === id)
      ?.run();
  };
  return (
    <Autocomplete inputValue={words} onInputChange={setWords}>
      <SearchField className="ask" aria-label={palette.title} autoFocus>
        <Icon name="search" />
        <Input placeholder={palette.placeholder} />
        <KeyHints keys={["Esc"]} />
      </SearchField>
      {/* A region that scrolls must be focusable by Tab. */}
      <div className="found" tabIndex={0} role="group" aria-label={palette.title}>
        <Menu
          aria-label={palette.title}
          items={groups}
          onAction={run}
          renderEmptyState={() => <p>{isAsking ? palette.searching : palette.nothing}</p>}
        >
          {(group: HitGroup) => (
            <MenuSection id={group.id}>
              <Header className="cap">{group.name}</Header>
              <Collection items={group.hits}>{(hit: Hit) => <Found words={words} {...hit} />}</Collection>
            </MenuSection>
          )}
        </Menu>
      </div>
      <footer className="hints">
        <Hint keys={["↑", "↓"]} name={palette.move} />
        <Hint keys={["⏎"]} name={palette.open} />
        <Hint keys={["Esc"]} name={palette.close} />
      </footer>
    </Autocomplete>
  );
}

function Hint({ keys, name }: { readonly keys: readonly string[]; readonly name: string }) {
  return (
    <span>
      <KeyHints keys={keys} /> {name}
    </span>
  );
}

function Found({ id, name, icon, note, disabledReason, keys, words }: Hit & { readonly words: string }) {
  return (
    <MenuItem id={id} className="hit" textValue={name} isDisabled={disabledReason !== undefined}>
      <Icon name={icon} />
      <span className="cut">{marked(name, words)}</span>
      <span className="dim cut">{disabledReason ?? note}</span>
      {keys && <KeyHints keys={keys} />}
    </MenuItem>
  );
}

function marked(name: string, words: string) {
  const at = words === "" ? -1 : name.toLowerCase().indexOf(words.toLowerCase());
  if (at < 0) return name;
  const end = at + words.length;
  return (
    <>
      {name.slice(0, at)}
      <mark>{name.slice(at, end)}</mark>
      {name.slice(end)}
    </>
  );
}

function useGroups(words: string) {
  const t = useTexts(frameTexts);
  const { tabs } = useTexts(setUpTexts);
  const parts = tabGroupsFor(useMembership()).flatMap((group) => group.tabs);
  const router = useRouter();
  const go = (path: string) => router.history.push(`/app${path}`);
  const { groups: found, isAsking } = useSearchResults(words, go);
  return { groups: groupsFor(words, { t, parts, tabs, found, go }), isAsking };
}
