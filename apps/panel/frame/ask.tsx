import { useState, type ReactNode } from 'react';
import { Button, type ButtonProps } from '../../design/controls/button.js';
import { ConfirmDialog, Dialog } from '../../design/controls/dialog.js';
import { FailureNotice, Form } from './parts.js';
import { frameTexts } from './texts.js';
import { useAction } from './use-graph.js';

/** How a dialog ends: it is closed, or its act is done. */
export interface Ending {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export interface AskProps {
  readonly title: string;
  readonly act: string;
  readonly kind?: 'danger' | 'main';
  readonly cancel?: string;
  readonly onClose: () => void;
  readonly run: () => Promise<unknown>;
  readonly onDone?: () => void;
  readonly children: ReactNode;
}

/** Asks before an act, and does it. */
export function Ask({ run, onDone, cancel = frameTexts.get().cancel, ...dialog }: AskProps) {
  const action = useAction();
  return (
    <ConfirmDialog
      {...dialog}
      isOpen
      cancel={cancel}
      isBusy={action.isBusy}
      problem={<FailureNotice failure={action.failure} />}
      onConfirm={() => {
        void action.run(run).then((worked) => {
          if (worked) onDone?.();
        });
      }}
    />
  );
}

export interface ActDialogProps extends Ending {
  readonly title: string;
  readonly act: string;
  readonly kind?: 'main' | 'danger';
  /** Names of its fields; none for an act that only asks for a confirmation. */
  readonly fields?: readonly string[];
  readonly isWide?: boolean;
  readonly children: ReactNode;
  readonly run: (values: FormData) => Promise<unknown>;
}

/** Asks for what an act needs, and does it. */
export function ActDialog(props: ActDialogProps) {
  const { title, act, kind = 'main', fields = [], isWide = false, children, onClose, run, onDone } = props;
  const action = useAction();
  return (
    <Dialog title={title} isOpen isWide={isWide} onClose={onClose}>
      <Form
        action={action}
        fields={fields}
        label={title}
        onSubmit={(values) => {
          void action
            .run(() => run(values))
            .then((worked) => {
              if (worked) onDone();
            });
        }}
      >
        {children}
        <div className="acts">
          <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
          <Button kind={kind} type="submit" isBusy={action.isBusy}>
            {act}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export interface DialogButtonProps extends Omit<ButtonProps, 'children' | 'onPress'> {
  readonly act: string;
  readonly onDone?: () => void;
  /** Its dialog, which is closed when its act is done. */
  readonly children: (ending: Ending) => ReactNode;
}

/** A button with the dialog that it opens. */
export function DialogButton({ act, onDone, children, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const ending: Ending = {
    onClose: () => setOpen(false),
    onDone: () => {
      setOpen(false);
      onDone?.();
    },
  };
  return (
    <>
      <Button {...button} onPress={() => setOpen(true)}>
        {act}
      </Button>
      {isOpen ? children(ending) : null}
    </>
  );
}
