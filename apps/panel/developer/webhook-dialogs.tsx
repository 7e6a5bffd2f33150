import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { SelectInput, Checks, TextInput } from '../../design/controls/fields.js';
import { ActDialog, Ask } from '../frame/ask.js';
import { plural } from '../frame/language.js';
import { textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { graph } from './graph.js';
import { SecretDialog } from './secret-dialog.js';
import { developerTexts } from './texts.js';
import type { WebhookFormProps } from './webhook-form.js';

type Webhook = NonNullable<WebhookFormProps['webhook']>;

/** Replaces the secret of a webhook, and shows the new one once. */
export function RotateSecret({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { webhooks: text } = developerTexts.get();
  const [overlap, setOverlap] = useState('24');
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <SecretDialog secret={secret} onClose={onClose} />;
  const run = async () => {
    const { rotateWebhookSecret } = await graph.mutate('rotateWebhookSecret', { id, overlapHours: Number(overlap) });
    setSecret(rotateWebhookSecret?.secret);
  };
  return (
    <Ask title={text.rotate} act={text.rotate} onClose={onClose} run={run}>
      <p>{text.rotateText}</p>
      <SelectInput
        name="overlapHours"
        label={text.overlap}
        value={overlap}
        onChange={setOverlap}
        options={overlaps.map((hours) => ({
          value: String(hours),
          text: hours === 0 ? text.noOverlap : plural(hours, text.hours),
        }))}
      />
    </Ask>
  );
}

/** Hours for which deliveries are signed with both secrets. */
const overlaps = [0, 1, 24, 72, 168];

/** Deletes a webhook, once that is confirmed, and leads to the others. */
export function RemoveWebhook({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { webhooks: text } = developerTexts.get();
  const router = useRouter();
  const run = async () => {
    await graph.mutate('deleteWebhook', { id });
    await router.navigate({ to: '/desenvolvedor/webhooks', replace: true });
  };
  return (
    <Ask title={text.removeTitle} act={text.remove} onClose={onClose} run={run}>
      <p>{text.removeText}</p>
    </Ask>
  );
}

const statuses = ['FAILED', 'SKIPPED', 'DELIVERED'] as const;
type Status = (typeof statuses)[number];

/** Sends the deliveries of a filter again. */
export function Resend(props: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onSent: (said: string) => void;
}) {
  const { webhook, onClose, onSent } = props;
  const { webhooks: text } = developerTexts.get();
  const [chosen, setChosen] = useState<readonly Status[]>(['FAILED', 'SKIPPED']);
  const [type, setType] = useState('');
  const run = async (values: FormData) => {
    const filter = {
      statuses: chosen,
      type: type === '' ? null : type,
      from: momentOf(textOf(values, 'from')),
      to: momentOf(textOf(values, 'to')),
    };
    const { redeliverWebhookDeliveries } = await graph.mutate('redeliverDeliveries', { id: webhook.id, filter });
    const count = redeliverWebhookDeliveries?.matched ?? 0;
    onSent(plural(count, text.resent));
  };
  return (
    <ActDialog
      title={text.resend}
      act={text.resend}
      fields={['statuses', 'type', 'from', 'to']}
      onClose={onClose}
      run={run}
      onDone={onClose}
    >
      <p>{text.resendText}</p>
      <Checks
        name="statuses"
        label={text.status}
        value={chosen}
        onChange={(values) => setChosen(statuses.filter((one) => values.includes(one)))}
        required={frameTexts.get().chooseOne}
        options={statuses.map((value) => ({ value, text: text.deliveryStates[value] }))}
      />
      <SelectInput
        name="type"
        label={text.event}
        value={type}
        onChange={setType}
        all={text.allEvents}
        options={[...webhook.events, 'webhook.test'].map((value) => ({ value, text: value }))}
      />
      <TextInput name="from" type="datetime-local" label={text.from} hint={text.fromHint} />
      <TextInput name="to" type="datetime-local" label={text.to} hint={text.toHint} />
    </ActDialog>
  );
}

/** Returns the moment of a field, whose time is that of the browser; null for an empty one. */
function momentOf(value: string): string | null {
  return value === '' ? null : new Date(value).toISOString();
}
