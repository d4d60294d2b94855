// A dialog. Focus returns to where it was; if that was nowhere, or is gone, to what the screen is for.
import { useLayoutEffect, type ReactNode } from "react";
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
          <FocusBack />
          {actions && <footer>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Inside, for it is there only while the dialog is open. */
function FocusBack() {
  useFocusBack("main .bar .btn.first", "main .rows .name", "main");
  return null;
}

/** After whatever else gives the focus back. */
const LATER_MS = 100;

/** On leaving with the focus inside: if nothing has it then, on the same page, it goes to the first of these. */
export function useFocusBack(...selectors: readonly string[]): void {
  useLayoutEffect(() => {
    const { pathname } = location;
    return () => {
      if (document.activeElement === document.body) return;
      setTimeout(() => {
        if (location.pathname !== pathname || document.activeElement !== document.body) return;
        const places = selectors.map((selector) => document.querySelector<HTMLElement>(selector));
        places.find((place) => place !== null)?.focus({ preventScroll: true });
      }, LATER_MS);
    };
  }, []);
}
