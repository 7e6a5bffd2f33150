import { TextInput } from '../../design/controls/controls.js';
import { ActButton, type ActButtonProps } from '../frame/ask.js';
import { textOf } from '../frame/parts.js';
import { operatorTexts } from '../texts.js';

interface ReasonButtonProps extends Omit<ActButtonProps, 'run' | 'kind'> {
  readonly reason?: string;
  /** Hint below the reason, if somebody else reads it. */
  readonly hint?: string;
  readonly run: (reason: string, values: FormData) => Promise<unknown>;
}

/** A button that asks for the reason of its act, below its other fields. */
export function ReasonButton({ run, reason, hint, fields = [], children, ...button }: ReasonButtonProps) {
  return (
    <ActButton
      {...button}
      kind="danger"
      fields={[...fields, 'reason']}
      run={(values) => run(textOf(values, 'reason').trim(), values)}
    >
      {children}
      <ReasonInput label={reason} hint={hint} />
    </ActButton>
  );
}

export function ReasonInput({
  label,
  hint,
}: {
  readonly label?: string | undefined;
  readonly hint?: string | undefined;
}) {
  const { common: text, words } = operatorTexts.get();
  return (
    <TextInput name="reason" label={label ?? words.reason} hint={hint ?? text.reasonHint} maxLength={500} isRequired />
  );
}
