import type { ReactNode } from 'react';
import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { TextInput } from '../../design/controls/fields.js';
import { Form, textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { operatorTexts } from './texts.js';

/** Asks for the reason of an act, and does it. */
export function ReasonDialog(props: {
  readonly title: string;
  readonly act: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly run: (reason: string) => Promise<unknown>;
  readonly onDone: () => void;
}) {
  const { title, act, children, onClose, run, onDone } = props;
  const { common: text } = operatorTexts.get();
  const action = useAction();
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {children}
      <Form
        action={action}
        fields={['reason']}
        label={title}
        onSubmit={(values) => {
          void action
            .run(() => run(textOf(values, 'reason').trim()))
            .then((worked) => {
              if (worked) onDone();
            });
        }}
      >
        <TextInput name="reason" label={text.reason} hint={text.reasonHint} maxLength={500} isRequired />
        <div className="acts">
          <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
          <Button kind="danger" type="submit" isBusy={action.isBusy}>
            {act}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
