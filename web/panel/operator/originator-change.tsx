import { TextInput } from '../../design/controls/fields.js';
import { countOf, NumberInput } from '../frame/number-input.js';
import { textOf } from '../frame/parts.js';
import { ActDialog } from './act-dialog.js';
import { graph } from './graph.js';
import type { Originator } from './originator-part.js';
import { operatorTexts } from './texts.js';

/** Changes the name, the rate limit and the linked account of an originator: what was changed in the form, and nothing else. */
export function ChangeOriginator(props: {
  readonly originator: Originator;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { originator, onClose, onDone } = props;
  const { onboarding: text } = operatorTexts.get();
  const run = (values: FormData) => {
    const name = textOf(values, 'name').trim();
    const rateLimit = countOf(values, 'rateLimit');
    const accountId = textOf(values, 'accountId').trim() || null;
    return graph.mutate('changeOriginator', {
      id: originator.id,
      ...(name === originator.name ? {} : { name }),
      ...(rateLimit === originator.rateLimit ? {} : { rateLimit }),
      ...(accountId === originator.accountId ? {} : { accountId }),
    });
  };
  return (
    <ActDialog
      title={`${text.change}: ${originator.name}`}
      act={text.save}
      fields={['name', 'rateLimit', 'accountId']}
      onClose={onClose}
      run={run}
      onDone={onDone}
    >
      <TextInput
        name="name"
        label={text.name}
        defaultValue={originator.name}
        maxLength={200}
        autoComplete="off"
        isRequired
      />
      <NumberInput
        name="rateLimit"
        label={text.rateLimit}
        hint={text.rateLimitHint}
        defaultValue={originator.rateLimit}
        isWhole
      />
      <TextInput
        name="accountId"
        label={text.account}
        hint={text.otherAccountHint}
        defaultValue={originator.accountId ?? ''}
        autoComplete="off"
        maxLength={100}
      />
    </ActDialog>
  );
}
