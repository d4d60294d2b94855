// A dialog. On closing, focus returns to the element that had it, otherwise to the main element of the screen.
import { useLayoutEffect, type ReactNode } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useTexts } from "../../base/language.ts";
import { frameTexts } from "../../texts/areas.ts";
import { Button } from "../button.tsx";
import "./dialog.css";

type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The buttons; the confirming one is last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean | undefined;
  /** Fills the window, for content with keys of its own: only its buttons close it. */
  readonly whole?: boolean;
  /** A click outside does not close it: its content is not shown again. */
  readonly stays?: boolean | undefined;
  /** It must be answered first: Escape does not close it. */
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

/** Inside the dialog, so that it unmounts when the dialog closes. */
function FocusBack() {
  useFocusBack("main .bar .btn.first", "main .rows .name", "main");
  return null;
}

/** After other code, such as React Aria, has restored the focus. */
const LATER_MS = 100;

/** If an element with the focus inside unmounts and no other gets it, focuses the first match on the same page. */
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
