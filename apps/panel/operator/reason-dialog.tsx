import { TextInput } from '../../design/controls/fields.js';
import { ActDialog, type ActDialogProps, DialogButton, type DialogButtonProps } from '../frame/ask.js';
import { textOf } from '../frame/parts.js';
import { operatorTexts } from './texts.js';

interface ReasonDialogProps extends Omit<ActDialogProps, 'run' | 'kind' | 'fields'> {
  readonly run: (reason: string) => Promise<unknown>;
}

/** Asks for the reason of an act, and does it. */
export function ReasonDialog({ run, children, ...dialog }: ReasonDialogProps) {
  const { common: text } = operatorTexts.get();
  return (
    <ActDialog {...dialog} kind="danger" fields={['reason']} run={(values) => run(textOf(values, 'reason').trim())}>
      {children}
      <TextInput name="reason" label={text.reason} hint={text.reasonHint} maxLength={500} isRequired />
    </ActDialog>
  );
}

/** A button that asks for the reason of its act. */
export function ReasonButton({
  title,
  text,
  run,
  ...button
}: Omit<DialogButtonProps, 'children'> & Pick<ReasonDialogProps, 'title' | 'run'> & { readonly text: string }) {
  return (
    <DialogButton {...button}>
      {(ending) => (
        <ReasonDialog title={title} act={button.act} run={run} {...ending}>
          <p>{text}</p>
        </ReasonDialog>
      )}
    </DialogButton>
  );
}
