import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { decimal } from '../frame/language.js';
import { countOf, NumberInput } from '../frame/number-input.js';
import { Form } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { ManagedKey } from './managed-keys.js';
import { operatorTexts } from './texts.js';

/** Sets the limit of a key, beside the one that it has now. */
export function LimitDialog(props: {
  readonly limitedKey: ManagedKey;
  readonly onClose: () => void;
  readonly onDone: (said: string) => void;
}) {
  const { limitedKey, onClose, onDone } = props;
  const { prefix, name, rateLimit, followsConfiguration } = limitedKey;
  const { accounts: text } = operatorTexts.get();
  const action = useAction();
  return (
    <Dialog title={text.limit} isOpen onClose={onClose}>
      <p>
        <code>{prefix}</code> {text.limited(name, decimal(rateLimit), followsConfiguration)}
      </p>
      <p className="muted">{text.limitLead}</p>
      <Form
        action={action}
        fields={['rateLimit']}
        label={text.limit}
        onSubmit={(values) => {
          void action.run(async () => {
            const { limitKey } = await graph.mutate('limitKey', {
              prefix,
              rateLimit: countOf(values, 'rateLimit'),
            });
            if (limitKey === null) return;
            onDone(text.limited(limitKey.name, decimal(limitKey.rateLimit), limitKey.followsConfiguration));
          });
        }}
      >
        <NumberInput
          name="rateLimit"
          label={text.rate}
          hint={text.rateHint}
          defaultValue={followsConfiguration ? null : rateLimit}
          isWhole
          autoFocus
        />
        <div className="acts">
          <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
          <Button type="submit" kind="main" isBusy={action.isBusy}>
            {text.setLimit}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
