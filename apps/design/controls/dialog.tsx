import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.js';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Called when it is closed without an act. */
  readonly onClose: () => void;
  /** Whether only its buttons close it: it shows something that cannot be shown again. */
  readonly isFirm?: boolean;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A window above the page, which holds the focus until it is closed. */
export function Dialog({ title, isOpen, onClose, isFirm = false, isWide = false, children }: DialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      isDismissable={false}
      isKeyboardDismissDisabled={isFirm}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={isWide ? 'modal broad' : 'modal'}>
        <AriaDialog className="dialog" role="dialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Asks before an act: one that cannot be undone, unless its kind says otherwise. */
export function ConfirmDialog(
  props: Omit<DialogProps, 'isFirm' | 'isWide'> & {
    readonly act: string;
    readonly kind?: 'danger' | 'main';
    readonly cancel: string;
    readonly isBusy: boolean;
    readonly onConfirm: () => void;
    /** What went wrong. */
    readonly problem?: ReactNode;
  },
) {
  const { act, kind = 'danger', cancel, isBusy, onConfirm, problem, children, ...dialog } = props;
  return (
    <Dialog {...dialog}>
      {problem}
      <div>{children}</div>
      <div className="acts">
        <Button onPress={props.onClose}>{cancel}</Button>
        <Button kind={kind} isBusy={isBusy} onPress={onConfirm}>
          {act}
        </Button>
      </div>
    </Dialog>
  );
}
