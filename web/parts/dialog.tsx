// A dialog. Focus returns to where it was.
import type { ReactNode } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useTexts } from "../language.ts";
import { frameTexts } from "../texts/areas.ts";
import { Button } from "./button.tsx";
import "./dialog.css";

type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The buttons, the one that acts last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean | undefined;
  /** As large as the window, for work that has keys of its own: only its buttons close it. */
  readonly whole?: boolean;
  /** A click beside it does not close it: it shows what is not shown again. */
  readonly stays?: boolean | undefined;
  /** Nothing else can be done before: no key closes it. */
  readonly isFinal?: boolean;
};

export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, children, actions, wide, whole = false, stays = whole, isFinal = whole } = props;
  const t = useTexts(frameTexts);
  return (
    <ModalOverlay
      className="veil centred"
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable={!stays}
      isKeyboardDismissDisabled={isFinal}
    >
      <Modal className={whole ? "dialog whole" : wide ? "dialog wide" : "dialog"}>
        <AriaDialog>
          <header>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {!isFinal && <Button kind="quiet" small icon="x" label={t.close} onClick={onClose} />}
          </header>
          <div className="body">{children}</div>
          {actions && <footer>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
