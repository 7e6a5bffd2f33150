import { useState, type ReactNode } from 'react';
import { Button, Dialog, type ButtonProps } from '../../design/controls/controls.js';
import { Form } from './parts.js';
import { frameTexts } from './texts.js';
import { useAction } from './use-graph.js';

export interface Ending {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface Act {
  readonly act: string;
  readonly title?: string | undefined;
  readonly kind?: 'main' | 'danger';
  /** Names of its fields; none for an act that only asks for a confirmation. */
  readonly fields?: readonly string[];
  readonly isWide?: boolean;
  readonly cancel?: string;
  readonly text?: string | undefined;
  readonly children?: ReactNode;
  readonly run: (values: FormData) => Promise<unknown>;
}

export function ActDialog(props: Act & Ending) {
  const { act, title = act, kind = 'main', fields = [], isWide = false, text, children, onClose, run, onDone } = props;
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
        {text === undefined ? null : <p>{text}</p>}
        {children}
        <div className="acts">
          <Button onPress={onClose}>{props.cancel ?? frameTexts.get().cancel}</Button>
          <Button kind={kind} type="submit" isBusy={action.isBusy}>
            {act}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface DialogButtonProps extends Omit<ButtonProps, 'children' | 'onPress' | 'type'> {
  readonly act: string;
  readonly onDone?: (() => void) | undefined;
  readonly children: (ending: Ending) => ReactNode;
}

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

export interface ActButtonProps extends Act, Pick<DialogButtonProps, 'label' | 'isDisabled' | 'onDone'> {
  /** Label of the button, if it differs from the act. */
  readonly opens?: string;
  /** Style of the button; `kind` is the style of the act. */
  readonly button?: ButtonProps['kind'];
}

export function ActButton({ opens, label, isDisabled, button, onDone, ...dialog }: ActButtonProps) {
  return (
    <DialogButton act={opens ?? dialog.act} label={label} isDisabled={isDisabled} kind={button} onDone={onDone}>
      {(ending) => <ActDialog title={label ?? opens} {...dialog} {...ending} />}
    </DialogButton>
  );
}
