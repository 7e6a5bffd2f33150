import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Checks, SelectInput, TextInput } from '../../design/controls/controls.js';
import { ActButton, ActDialog } from '../frame/ask.js';
import { plural } from '../frame/language.js';
import { textOf, textsOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { developerTexts } from '../texts.js';
import { graph, type Operations } from './graph/operations.js';
import { SecretsDialog } from '../frame/secrets.js';

type Webhook = Pick<Operations['webhook']['data']['webhook'], 'id' | 'events' | 'status'>;

export function RotateSecret({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { webhooks: text } = developerTexts.get();
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <SecretDialog secret={secret} onClose={onClose} />;
  return (
    <ActDialog
      act={text.rotate}
      kind="danger"
      text={text.rotateText}
      onClose={onClose}
      run={async (values) => {
        const overlapHours = Number(textOf(values, 'overlapHours'));
        const { rotateWebhookSecret } = await graph.mutate('rotateWebhookSecret', { id, overlapHours });
        setSecret(rotateWebhookSecret?.secret);
      }}
      onDone={() => undefined}
    >
      <SelectInput
        name="overlapHours"
        label={text.overlap}
        defaultValue="24"
        options={overlaps.map((hours) => ({
          value: String(hours),
          text: hours === 0 ? text.noOverlap : plural(hours, text.hours),
        }))}
      />
    </ActDialog>
  );
}

/** Hours for which deliveries are signed with both secrets. */
const overlaps = [0, 1, 24, 72, 168];

export function RemoveWebhook({ id }: { readonly id: string }) {
  const { webhooks: text } = developerTexts.get();
  const router = useRouter();
  return (
    <ActButton
      title={text.removeTitle}
      act={text.remove}
      kind="danger"
      text={text.removeText}
      run={async () => {
        await graph.mutate('deleteWebhook', { id });
        await router.navigate({ to: '/desenvolvedor/webhooks', replace: true });
      }}
    />
  );
}

const statuses = ['FAILED', 'SKIPPED', 'DELIVERED'] as const;

export function Resend(props: {
  readonly webhook: Webhook;
  readonly label?: string;
  readonly onSent: (said: string) => void;
}) {
  const { webhook, label, onSent } = props;
  const { webhooks: text, words } = developerTexts.get();
  const run = async (values: FormData) => {
    const chosen = textsOf(values, 'statuses');
    const filter = {
      statuses: statuses.filter((one) => chosen.includes(one)),
      type: textOf(values, 'type') || null,
      from: momentOf(textOf(values, 'from')),
      to: momentOf(textOf(values, 'to')),
    };
    const { redeliverWebhookDeliveries } = await graph.mutate('redeliverDeliveries', { id: webhook.id, filter });
    onSent(plural(redeliverWebhookDeliveries?.matched ?? 0, text.resent));
  };
  return (
    <ActButton
      isDisabled={webhook.status !== 'ACTIVE'}
      act={text.resend}
      label={label}
      fields={['statuses', 'type', 'from', 'to']}
      text={text.resendText}
      run={run}
    >
      <Checks
        name="statuses"
        label={words.status}
        defaultValue={['FAILED', 'SKIPPED']}
        required={frameTexts.get().chooseOne}
        options={statuses.map((value) => ({ value, text: text.deliveryStates[value] }))}
      />
      <SelectInput
        name="type"
        label={words.event}
        all={text.allEvents}
        options={[...webhook.events, 'webhook.test'].map((value) => ({ value, text: value }))}
      />
      <TextInput name="from" type="datetime-local" label={text.from} hint={text.fromHint} />
      <TextInput name="to" type="datetime-local" label={text.to} hint={text.toHint} />
    </ActButton>
  );
}

/** Returns the moment of a field, whose value is in the browser's time zone; null for an empty one. */
function momentOf(value: string): string | null {
  return value === '' ? null : new Date(value).toISOString();
}

export function SecretDialog(props: { readonly secret: string | undefined; readonly onClose: () => void }) {
  const { secret, onClose } = props;
  const { webhooks: text, words } = developerTexts.get();
  return (
    <SecretsDialog
      title={text.secretTitle}
      text={text.secretText}
      secrets={secret === undefined ? [] : [[words.secret, secret]]}
      done={text.stored}
      onClose={onClose}
    />
  );
}
