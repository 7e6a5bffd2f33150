import { useState, type ReactNode } from 'react';
import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { Form } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';

export interface ActDialogProps {
  readonly title: string;
  readonly act: string;
  readonly kind?: 'main' | 'danger';
  /** Names of its fields; none for an act that only asks for a confirmation. */
  readonly fields?: readonly string[];
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly run: (values: FormData) => Promise<unknown>;
  readonly onDone: () => void;
}

/** Asks for what an act needs, and does it. */
export function ActDialog(props: ActDialogProps) {
  const { title, act, kind = 'main', fields = [], children, onClose, run, onDone } = props;
  const action = useAction();
  return (
    <Dialog title={title} isOpen onClose={onClose}>
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

/** Opens a dialog; it gets the function that closes it. */
export type OpenDialog = (render: (close: () => void) => ReactNode) => void;

/** The dialog of a screen: what it shows, and how it is opened. */
export function useDialog(): { readonly dialog: ReactNode; readonly open: OpenDialog } {
  const [dialog, setDialog] = useState<ReactNode>(null);
  const close = () => {
    setDialog(null);
  };
  return {
    dialog,
    open: (render) => setDialog(render(close)),
  };
}
