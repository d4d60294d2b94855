// The "/" menu on an empty line.
import { useRef } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Input } from "react-aria-components/Input";
import { Menu, MenuItem } from "react-aria-components/Menu";
import { SearchField } from "react-aria-components/SearchField";
import type { Editor } from "@tiptap/react";
import { useTexts } from "../../base/language.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Popover } from "../../parts/overlays/popover.ts";
import { visualTexts } from "../../texts/areas.ts";
import { BLOCKS, insertBlock, setStyle, STYLES, type BlockName, type Style } from "./blocks.ts";

type InsertProps = {
  readonly editor: Editor;
  readonly at: HTMLElement;
  readonly close: () => void;
  readonly onImage: () => void;
};

export function InsertMenu({ editor, at, close, onImage }: InsertProps) {
  const t = useTexts(visualTexts);
  const trigger = useRef(at);
  const choose = (id: unknown) => {
    close();
    const [kind, name] = String(id).split(" ");
    if (kind === "style") setStyle(editor, name as Style);
    else if (name === "image") onImage();
    else insertBlock(editor, name as BlockName, t);
  };
  const left = (open: boolean) => {
    if (open) return;
    close();
    editor.commands.focus();
  };
  return (
    <Popover className="menu" triggerRef={trigger} isOpen onOpenChange={left} placement="bottom start">
      <Autocomplete filter={(name, words) => name.toLowerCase().includes(words.toLowerCase())}>
        <SearchField className="find-person" aria-label={t.insert} autoFocus>
          <Icon name="search" />
          <Input />
        </SearchField>
        <Menu aria-label={t.insert} className="entries" onAction={choose}>
          {STYLES.slice(1).map((style) => (
            <MenuItem key={style} id={`style ${style}`} className="item" textValue={t.styles[style]}>
              <Icon name="text" />
              <span>{t.styles[style]}</span>
            </MenuItem>
          ))}
          {BLOCKS.map(({ name, icon }) => (
            <MenuItem key={name} id={`block ${name}`} className="item" textValue={t.blocks[name]}>
              <Icon name={icon} />
              <span>{t.blocks[name]}</span>
            </MenuItem>
          ))}
        </Menu>
      </Autocomplete>
    </Popover>
  );
}
