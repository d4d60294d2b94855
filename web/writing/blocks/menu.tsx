// The menu of saved blocks: insert one, or save the selection as one.
import { useState, type RefObject } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Field } from "../../parts/fields/form.tsx";
import { FormDialog } from "../../parts/fields/form-dialog.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { Menu } from "../../parts/overlays/menu.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { KeptInFiles } from "../../saving/kept-in-files.tsx";
import { blocksTexts } from "../../texts/areas.ts";
import type { EditorHandle } from "../editor-handle.ts";
import { useBlocks, useRemoveBlock, useSaveBlock, type Block, type BlockContent } from "./calls.ts";

type BlocksProps = { readonly handle: RefObject<EditorHandle | null>; readonly disabledReason: string | undefined };

export function BlocksMenu({ handle, disabledReason }: BlocksProps) {
  const t = useTexts(blocksTexts);
  const { data: blocks = [] } = useBlocks();
  const [part, save] = useState<BlockContent | null>(null);
  const [isManaged, manage] = useState(false);
  const choose = async () => {
    const chosen = (await handle.current?.chosen()) ?? null;
    if (chosen) save(chosen);
    else showToast(t.chooseFirst);
  };
  const entries = blocks.map((block) => ({
    id: block.id,
    name: block.name,
    disabledReason,
    run: () => handle.current?.insertBlock(block),
  }));
  return (
    <>
      <Menu
        label={t.title}
        className="btn quiet s only named"
        entries={[
          ...entries,
          ...(entries.length > 0 ? (["line"] as const) : []),
          { id: "save", name: t.save, icon: "plus", disabledReason, run: () => void choose() },
          ...(entries.length > 0
            ? [{ id: "manage", name: t.manage, icon: "trash" as const, run: () => manage(true) }]
            : []),
        ]}
      >
        <Icon name="inbox" />
        <span className="hidden-text">{t.title}</span>
      </Menu>
      {part && <Save part={part} close={() => save(null)} />}
      {isManaged && <Manage blocks={blocks} disabledReason={disabledReason} close={() => manage(false)} />}
    </>
  );
}

function Save({ part, close }: { readonly part: BlockContent; readonly close: () => void }) {
  const t = useTexts(blocksTexts);
  const saving = useSaveBlock(() => {
    close();
    showToast(t.saved);
  });
  return (
    <FormDialog
      title={t.saveTitle}
      close={close}
      sending={saving}
      submit={t.saveNow}
      onSubmit={({ name = "" }) => saving.mutate({ name: name.trim(), ...part })}
    >
      <Field name="name" label={t.name} help={t.help} autoFocus />
    </FormDialog>
  );
}

type ManageProps = {
  readonly blocks: readonly Block[];
  readonly disabledReason: string | undefined;
  readonly close: () => void;
};

function Manage({ blocks, disabledReason, close }: ManageProps) {
  const t = useTexts(blocksTexts);
  const removing = useRemoveBlock();
  return (
    <Dialog title={t.title} isOpen onClose={close}>
      <ul className="rows block-list">
        {blocks.map((block) => (
          <li className="line" key={block.id}>
            <span className="cut">{block.name}</span>
            <Button
              kind="quiet"
              small
              icon="trash"
              label={t.remove(block.name)}
              disabledReason={disabledReason}
              onClick={() => removing.mutate(block)}
            />
            <KeptInFiles kind="blocks" id={block.id} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
