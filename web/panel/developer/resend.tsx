import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { Checks, SelectInput, TextInput } from '../../design/controls/fields.js';
import { decimal, plural } from '../frame/language.js';
import { Form, textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { developerTexts } from './texts.js';

const statuses = ['FAILED', 'SKIPPED', 'DELIVERED'] as const;
type Status = (typeof statuses)[number];

/** Sends the deliveries of a filter again. */
export function Resend(props: {
  readonly webhook: { readonly id: string; readonly events: readonly string[] };
  readonly onClose: () => void;
  readonly onDone: (said: string) => void;
}) {
  const { webhook, onClose, onDone } = props;
  const { webhooks: text } = developerTexts.get();
  const action = useAction();
  const [chosen, setChosen] = useState<readonly Status[]>(['FAILED', 'SKIPPED']);
  const [type, setType] = useState('');
  return (
    <Form
      action={action}
      fields={['statuses', 'type', 'from', 'to']}
      onSubmit={(values) => {
        const filter = {
          statuses: chosen,
          type: type === '' ? null : type,
          from: momentOf(textOf(values, 'from')),
          to: momentOf(textOf(values, 'to')),
        };
        void action.run(async () => {
          const { redeliverWebhookDeliveries } = await graph.mutate('redeliverDeliveries', { id: webhook.id, filter });
          const count = redeliverWebhookDeliveries?.matched ?? 0;
          onDone(plural(count, { one: text.resent.one, other: text.resent.other(decimal(count)) }));
        });
      }}
    >
      <p>{text.resendText}</p>
      <Checks
        name="statuses"
        label={text.status}
        value={chosen}
        onChange={(values) => {
          setChosen(statuses.filter((one) => values.includes(one)));
        }}
        required={frameTexts.get().chooseOne}
        options={statuses.map((value) => ({ value, text: text.deliveryStates[value] }))}
      />
      <SelectInput
        name="type"
        label={text.event}
        value={type}
        onChange={setType}
        options={[
          { value: '', text: text.allEvents },
          ...[...webhook.events, 'webhook.test'].map((value) => ({ value, text: value })),
        ]}
      />
      <TextInput name="from" type="datetime-local" label={text.from} hint={text.fromHint} />
      <TextInput name="to" type="datetime-local" label={text.to} hint={text.toHint} />
      <div className="acts">
        <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
        <Button kind="main" type="submit" isBusy={action.isBusy}>
          {text.resend}
        </Button>
      </div>
    </Form>
  );
}

/** Returns the moment of a field, whose time is that of the browser; null for an empty one. */
function momentOf(value: string): string | null {
  return value === '' ? null : new Date(value).toISOString();
}
